// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/environmentnames.h"

#include <algorithm>
#include <array>

namespace telson::core {

namespace {

// Sorted by code unit, for the binary search below.
// clang-format off
// List A: blocked everywhere.
constexpr auto s_alwaysBlocked = std::to_array<QStringView>({
    u"ANT_OPTS", u"BASHOPTS", u"BASH_ENV", u"BROWSER", u"BZR_EDITOR", u"BZR_PLUGIN_PATH",
    u"BZR_SSH", u"CARGO_BUILD_RUSTC", u"CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
    u"CARGO_BUILD_RUSTC_WRAPPER", u"CARGO_BUILD_RUSTDOC", u"CATALINA_OPTS", u"CC",
    u"CMAKE_CXX_COMPILER", u"CMAKE_C_COMPILER", u"CMAKE_TOOLCHAIN_FILE", u"CONFIG_SHELL",
    u"CONFIG_SITE", u"CORECLR_PROFILER", u"CPP", u"CXX", u"CXXCPP", u"DOTNET_ADDITIONAL_DEPS",
    u"DOTNET_STARTUP_HOOKS", u"ELIXIR_ERL_OPTIONS", u"EMACSLOADPATH", u"ENV", u"ERL_AFLAGS",
    u"ERL_FLAGS", u"ERL_ZFLAGS", u"EXINIT", u"FPATH", u"GCONV_PATH", u"GIT_ALLOW_PROTOCOL",
    u"GIT_ALTERNATE_OBJECT_DIRECTORIES", u"GIT_COMMON_DIR", u"GIT_DIR", u"GIT_EDITOR",
    u"GIT_EXEC_PATH", u"GIT_EXTERNAL_DIFF", u"GIT_HOOK_PATH", u"GIT_INDEX_FILE", u"GIT_NAMESPACE",
    u"GIT_OBJECT_DIRECTORY", u"GIT_PROTOCOL_FROM_USER", u"GIT_SEQUENCE_EDITOR", u"GIT_SSL_CAINFO",
    u"GIT_SSL_CAPATH", u"GIT_SSL_NO_VERIFY", u"GIT_TEMPLATE_DIR", u"GIT_WORK_TREE",
    u"GLIBC_TUNABLES", u"GRADLE_OPTS", u"GVIMINIT", u"HELM_PLUGINS", u"HGEDITOR", u"HGMERGE",
    u"HGRCPATH", u"HOSTALIASES", u"IFS", u"JAVA_OPTS", u"JAVA_TOOL_OPTIONS", u"JDK_JAVA_OPTIONS",
    u"JULIA_EDITOR", u"KSH_ENV", u"LUA_INIT", u"LUA_INIT_5_1", u"LUA_INIT_5_2", u"LUA_INIT_5_3",
    u"LUA_INIT_5_4", u"MAKE", u"MAKEFLAGS", u"MAVEN_OPTS", u"MFLAGS", u"MYVIMRC", u"NODE_OPTIONS",
    u"NODE_PATH", u"NODE_REDIRECT_WARNINGS", u"NODE_REPL_EXTERNAL_MODULE", u"NODE_REPL_HISTORY",
    u"NODE_V8_COVERAGE", u"PACKER_PLUGIN_PATH", u"PERL5LIB", u"PERL5OPT", u"PS4",
    u"PYTHONBREAKPOINT", u"PYTHONHOME", u"PYTHONPATH", u"RUBYLIB", u"RUBYOPT", u"RUBYSHELL",
    u"RUSTC", u"RUSTC_WORKSPACE_WRAPPER", u"RUSTC_WRAPPER", u"RUSTDOC", u"R_ENVIRON",
    u"R_ENVIRON_USER", u"R_PROFILE", u"R_PROFILE_USER", u"SBT_OPTS", u"SHELL", u"SHELLOPTS",
    u"SSLKEYLOGFILE", u"SUDO_ASKPASS", u"SVN_EDITOR", u"SVN_SSH", u"TCLLIBPATH",
    u"VAGRANT_VAGRANTFILE", u"VIMINIT", u"_JAVA_OPTIONS"});

// List B: blocked as an override.
constexpr auto s_blockedOverrides =
    std::to_array<QStringView>({
    u"ALL_PROXY", u"AMQP_URL", u"ANSIBLE_CALLBACK_PLUGINS", u"ANSIBLE_COLLECTIONS_PATH",
    u"ANSIBLE_CONFIG", u"ANSIBLE_CONNECTION_PLUGINS", u"ANSIBLE_FILTER_PLUGINS",
    u"ANSIBLE_INVENTORY_PLUGINS", u"ANSIBLE_LIBRARY", u"ANSIBLE_LOOKUP_PLUGINS",
    u"ANSIBLE_MODULE_UTILS", u"ANSIBLE_REMOTE_TEMP", u"ANSIBLE_ROLES_PATH",
    u"ANSIBLE_STRATEGY_PLUGINS", u"AWS_ACCESS_KEY_ID", u"AWS_CONFIG_FILE",
    u"AWS_CONTAINER_CREDENTIALS_FULL_URI", u"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    u"AWS_SECRET_ACCESS_KEY", u"AWS_SECURITY_TOKEN", u"AWS_SESSION_TOKEN",
    u"AWS_SHARED_CREDENTIALS_FILE", u"AWS_WEB_IDENTITY_TOKEN_FILE", u"AZURE_AUTH_LOCATION",
    u"AZURE_CLIENT_ID", u"AZURE_CLIENT_SECRET", u"BUNDLE_GEMFILE", u"BUN_CONFIG_REGISTRY",
    u"CARGO_BUILD_RUSTC_WRAPPER", u"CARGO_HOME", u"CFLAGS", u"CGO_CFLAGS", u"CGO_LDFLAGS",
    u"CLASSPATH", u"COMPOSER_HOME", u"CONDA_DEFAULT_ENV", u"CONDA_PREFIX",
    u"CORECLR_PROFILER_PATH", u"CPATH", u"CPLUS_INCLUDE_PATH", u"CURL_CA_BUNDLE", u"CURL_HOME",
    u"C_INCLUDE_PATH", u"DATABASE_URL", u"DENO_DIR", u"DOCKER_CERT_PATH", u"DOCKER_CONTEXT",
    u"DOCKER_HOST", u"DOCKER_TLS_VERIFY", u"EDITOR", u"FCEDIT", u"GEM_HOME", u"GEM_PATH",
    u"GH_TOKEN", u"GITHUB_TOKEN", u"GITLAB_TOKEN", u"GIT_ALTERNATE_OBJECT_DIRECTORIES",
    u"GIT_ASKPASS", u"GIT_COMMON_DIR", u"GIT_DIR", u"GIT_INDEX_FILE", u"GIT_NAMESPACE",
    u"GIT_OBJECT_DIRECTORY", u"GIT_PAGER", u"GIT_PROXY_COMMAND", u"GIT_SSH", u"GIT_SSH_COMMAND",
    u"GIT_SSL_CAINFO", u"GIT_SSL_CAPATH", u"GIT_SSL_NO_VERIFY", u"GIT_WORK_TREE", u"GOENV",
    u"GOFLAGS", u"GONOPROXY", u"GONOSUMCHECK", u"GONOSUMDB", u"GOOGLE_APPLICATION_CREDENTIALS",
    u"GOPATH", u"GOPRIVATE", u"GOPROXY", u"GRADLE_USER_HOME", u"HELM_HOME", u"HGRCPATH",
    u"HISTFILE", u"HOME", u"HTTPS_PROXY", u"HTTP_PROXY", u"KUBECONFIG", u"LDFLAGS", u"LESSCLOSE",
    u"LESSOPEN", u"LIBRARY_PATH", u"LUA_CPATH", u"LUA_PATH", u"MAKEFLAGS", u"MANPAGER", u"MFLAGS",
    u"MONGODB_URI", u"NODE_AUTH_TOKEN", u"NODE_EXTRA_CA_CERTS", u"NODE_TLS_REJECT_UNAUTHORIZED",
    u"NO_PROXY", u"NPM_TOKEN", u"OBJC_INCLUDE_PATH", u"OPENSSL_CONF", u"OPENSSL_ENGINES",
    u"PAGER", u"PERL5DB", u"PERL5DBCMD", u"PHPRC", u"PHP_INI_SCAN_DIR", u"PIP_CONFIG_FILE",
    u"PIP_EXTRA_INDEX_URL", u"PIP_FIND_LINKS", u"PIP_INDEX_URL", u"PIP_PYPI_URL",
    u"PIP_TRUSTED_HOST", u"PROMPT_COMMAND", u"PYTHONSTARTUP", u"PYTHONUSERBASE", u"REDIS_URL",
    u"REQUESTS_CA_BUNDLE", u"RUSTC_WRAPPER", u"RUSTFLAGS", u"RUSTUP_DIST_ROOT",
    u"RUSTUP_DIST_SERVER", u"RUSTUP_HOME", u"RUSTUP_TOOLCHAIN", u"RUSTUP_UPDATE_ROOT",
    u"R_LIBS_USER", u"SSH_ASKPASS", u"SSH_AUTH_SOCK", u"SSL_CERT_DIR", u"SSL_CERT_FILE",
    u"SUDO_EDITOR", u"SYSTEMROOT", u"TF_CLI_CONFIG_FILE", u"TF_PLUGIN_CACHE_DIR",
    u"UV_DEFAULT_INDEX", u"UV_EXTRA_INDEX_URL", u"UV_INDEX", u"UV_INDEX_URL", u"UV_PYTHON",
    u"VIRTUAL_ENV", u"VISUAL", u"WGETRC", u"WINDIR", u"XDG_CACHE_HOME", u"XDG_CONFIG_DIRS",
    u"XDG_CONFIG_HOME", u"XDG_DATA_DIRS", u"XDG_DATA_HOME", u"XDG_RUNTIME_DIR", u"XDG_STATE_HOME",
    u"YARN_RC_FILENAME", u"ZDOTDIR"});

// List C: the part of list B that is still inherited.
constexpr auto s_inheritable = std::to_array<QStringView>({
    u"ALL_PROXY", u"AWS_CONFIG_FILE", u"AWS_SHARED_CREDENTIALS_FILE",
    u"AWS_WEB_IDENTITY_TOKEN_FILE", u"AZURE_AUTH_LOCATION", u"CURL_CA_BUNDLE",
    u"DOCKER_CERT_PATH", u"DOCKER_CONTEXT", u"DOCKER_HOST", u"DOCKER_TLS_VERIFY", u"GIT_PAGER",
    u"GOOGLE_APPLICATION_CREDENTIALS", u"GRADLE_USER_HOME", u"HISTFILE", u"HOME", u"HTTPS_PROXY",
    u"HTTP_PROXY", u"KUBECONFIG", u"MANPAGER", u"NODE_EXTRA_CA_CERTS",
    u"NODE_TLS_REJECT_UNAUTHORIZED", u"NO_PROXY", u"PAGER", u"REQUESTS_CA_BUNDLE",
    u"RUSTUP_DIST_ROOT", u"RUSTUP_DIST_SERVER", u"RUSTUP_HOME", u"RUSTUP_TOOLCHAIN",
    u"RUSTUP_UPDATE_ROOT", u"SSH_AUTH_SOCK", u"SSL_CERT_DIR", u"SSL_CERT_FILE", u"SYSTEMROOT",
    u"WINDIR", u"XDG_CACHE_HOME", u"XDG_CONFIG_DIRS", u"XDG_CONFIG_HOME", u"XDG_DATA_DIRS",
    u"XDG_DATA_HOME", u"XDG_RUNTIME_DIR", u"XDG_STATE_HOME", u"ZDOTDIR"});

// clang-format on
constexpr auto s_alwaysBlockedPrefixes =
    std::to_array<QStringView>({u"BASH_FUNC_", u"DYLD_", u"LD_"});
constexpr auto s_blockedOverridePrefixes =
    std::to_array<QStringView>({u"CARGO_REGISTRIES_", u"GIT_CONFIG_", u"NPM_CONFIG_", u"TF_VAR_"});
constexpr auto s_withheldPrefixes =
    std::to_array<QStringView>({u"CF_ACCESS_", u"OPENCLAW_GATEWAY_", u"TELSON_"});
constexpr auto s_windowsLaunch =
    std::to_array<QStringView>({u"COMSPEC", u"PATHEXT", u"PSMODULEPATH"});
constexpr auto s_shellWrapper = std::to_array<QStringView>(
    {u"COLORTERM", u"FORCE_COLOR", u"LANG", u"NO_COLOR", u"OPENCLAW_SUBAGENT_EXEC", u"TERM"});

bool contains(const auto &sortedNames, QStringView name)
{
    Q_ASSERT(std::ranges::is_sorted(sortedNames));
    return std::ranges::binary_search(sortedNames, name);
}

bool hasPrefixOf(const auto &prefixes, QStringView name)
{
    return std::ranges::any_of(prefixes,
                               [name](QStringView prefix) { return name.startsWith(prefix); });
}

bool isCargoTargetTool(QStringView name)
{
    // CARGO_TARGET_<triple>_LINKER and _RUNNER; the triple is not empty.
    constexpr QStringView prefix = u"CARGO_TARGET_";
    constexpr qsizetype suffixLength = 7; // of both
    return name.startsWith(prefix) && name.size() > prefix.size() + suffixLength
        && (name.endsWith(u"_LINKER") || name.endsWith(u"_RUNNER"));
}

} // namespace

bool isAlwaysBlockedName(QStringView upperName)
{
    return contains(s_alwaysBlocked, upperName) || hasPrefixOf(s_alwaysBlockedPrefixes, upperName);
}

bool isBlockedOverrideName(QStringView upperName)
{
    return contains(s_blockedOverrides, upperName)
        || hasPrefixOf(s_blockedOverridePrefixes, upperName) || isCargoTargetTool(upperName);
}

bool isBlockedInheritedName(QStringView upperName)
{
    return isAlwaysBlockedName(upperName)
        || (contains(s_blockedOverrides, upperName) && !contains(s_inheritable, upperName));
}

bool isWithheldName(QStringView upperName)
{
    return hasPrefixOf(s_withheldPrefixes, upperName);
}

bool isWindowsLaunchName(QStringView upperName)
{
    return contains(s_windowsLaunch, upperName);
}

bool isShellWrapperName(QStringView upperName)
{
    return contains(s_shellWrapper, upperName) || upperName.startsWith(u"LC_");
}

} // namespace telson::core
