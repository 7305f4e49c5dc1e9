// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

// childapp SCENE [ARGUMENT...]: does one thing that a test wants to see a child do. Every scene
// that waits ends by itself after a minute, so that a failed test leaves nothing behind.

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern char **environ; // NOLINT: the name is the system's

namespace {

using Arguments = std::vector<std::string>;

constexpr unsigned s_longestWait = 60; // seconds
constexpr int s_usage = 64;

void writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t size = ::write(descriptor, text.data(), text.size());
        if (size < 0 && errno != EINTR) {
            std::_Exit(1);
        }
        text.remove_prefix(size < 0 ? 0 : static_cast<std::size_t>(size));
    }
}

void say(const std::string &line)
{
    writeAll(STDOUT_FILENO, line + '\n');
}

std::string joined(const Arguments &words)
{
    std::string text;
    for (const std::string &word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

[[noreturn]] void waitForever()
{
    ::alarm(s_longestWait);
    for (;;) {
        ::pause();
    }
}

/// A child that runs `scene`; its parent goes on.
pid_t inChild(const std::function<void()> &scene)
{
    const pid_t child = ::fork();
    if (child == 0) {
        scene();
        std::_Exit(0);
    }
    return child;
}

void ignoreTerminate()
{
    (void)std::signal(SIGTERM, SIG_IGN);
}

void dropOutput()
{
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
    ::close(null);
}

int numberAt(const Arguments &arguments, std::size_t index)
{
    return index < arguments.size() ? std::atoi(arguments[index].c_str()) : 0;
}

int flood(const Arguments &arguments)
{
    const std::string which = arguments.size() > 1 ? arguments[1] : "out";
    std::string block(std::size_t{64} * 1024, 'x');
    for (std::size_t i = 63; i < block.size(); i += 64) {
        block[i] = '\n';
    }
    for (long left = std::atol(arguments.at(0).c_str()); left > 0;) {
        const auto size = std::min<std::size_t>(block.size(), static_cast<std::size_t>(left));
        for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
            if (which == "both" || (which == "out") == (descriptor == STDOUT_FILENO)) {
                writeAll(descriptor, std::string_view(block).substr(0, size));
            }
        }
        left -= static_cast<long>(size);
    }
    return 0;
}

/// Each argument in hexadecimal, written by itself.
int bytes(const Arguments &arguments)
{
    for (const std::string &hex : arguments) {
        std::string raw;
        for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
            raw += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
        }
        writeAll(STDOUT_FILENO, raw);
    }
    return 0;
}

int environment()
{
    for (char **variable = environ; *variable != nullptr; ++variable) {
        say(*variable);
    }
    return 0;
}

int standardInput()
{
    std::array<char, 256> buffer = {};
    const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    say("read " + std::to_string(size));
    return 0;
}

int descriptors()
{
    for (int descriptor = 0; descriptor < 1024; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) != -1) {
            say(std::to_string(descriptor));
        }
    }
    return 0;
}

int ids()
{
    say(std::to_string(::getpid()) + ' ' + std::to_string(::getpgrp()) + ' '
        + std::to_string(::getsid(0)));
    return 0;
}

/// The signals that are ignored or blocked, one a line.
int signals()
{
    sigset_t blocked;
    ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
    for (int signal = 1; signal < SIGRTMIN; ++signal) {
        struct sigaction action = {};
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
            say("ignored " + std::to_string(signal));
        }
        if (::sigismember(&blocked, signal) == 1) {
            say("blocked " + std::to_string(signal));
        }
    }
    return 0;
}

int dieOf(int signal)
{
    (void)std::signal(signal, SIG_DFL);
    (void)std::raise(signal);
    return 1;
}

/// Ends at once; a child of the same group holds the pipes.
int holdPipe(const Arguments &arguments)
{
    const pid_t child = inChild([] { waitForever(); });
    say(std::to_string(child));
    return numberAt(arguments, 0);
}

/// Ends at once; a child goes on writing, and says in a file how its writing ended.
int holdPipeWriting(const Arguments &arguments)
{
    inChild([&arguments] {
        (void)std::signal(SIGPIPE, SIG_DFL);
        const std::string block(1024, 'y');
        for (int i = 0; i < numberAt(arguments, 1); ++i) {
            writeAll(STDOUT_FILENO, block);
            ::usleep(1000);
        }
        const int done = ::open(arguments.at(0).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        writeAll(done, "done");
    });
    return 0;
}

/// Stays, with a child that only SIGKILL ends; `how` is what sets the child apart.
int stayWithChild(const std::function<void()> &how)
{
    const pid_t child = inChild([&how] {
        ignoreTerminate();
        how();
        waitForever();
    });
    say(std::to_string(child));
    waitForever();
}

int stay(bool isStubborn)
{
    if (isStubborn) {
        ignoreTerminate();
    }
    say("ready");
    waitForever();
}

using Scene = std::function<int(const Arguments &)>;

const std::map<std::string, Scene> &scenes()
{
    static const std::map<std::string, Scene> s_scenes{
        {"args",
         [](const Arguments &a) {
             std::ranges::for_each(a, say);
             return 0;
         }},
        {"bytes", bytes},
        {"cwd",
         [](const Arguments &) {
             say(std::filesystem::current_path().string());
             return 0;
         }},
        {"echo",
         [](const Arguments &a) {
             say(joined(a));
             return 0;
         }},
        {"env", [](const Arguments &) { return environment(); }},
        {"err",
         [](const Arguments &a) {
             writeAll(STDERR_FILENO, joined(a) + '\n');
             return 0;
         }},
        {"exit", [](const Arguments &a) { return numberAt(a, 0); }},
        {"fds", [](const Arguments &) { return descriptors(); }},
        {"flood", flood},
        {"fork", [](const Arguments &) { return stayWithChild([] { }); }},
        {"fork-detached", [](const Arguments &) { return stayWithChild(dropOutput); }},
        {"fork-group", [](const Arguments &) { return stayWithChild([] { ::setpgid(0, 0); }); }},
        {"fork-session", [](const Arguments &) { return stayWithChild([] { ::setsid(); }); }},
        {"hang", [](const Arguments &) { return stay(false); }},
        {"hold-pipe", holdPipe},
        {"hold-pipe-writing", holdPipeWriting},
        {"ids", [](const Arguments &) { return ids(); }},
        {"ignore-term", [](const Arguments &) { return stay(true); }},
        {"signal", [](const Arguments &a) { return dieOf(numberAt(a, 0)); }},
        {"signals", [](const Arguments &) { return signals(); }},
        {"stdin", [](const Arguments &) { return standardInput(); }},
    };
    return s_scenes;
}

} // namespace

int main(int argc, char **argv)
{
    const Arguments words(argv, argv + argc);
    const auto scene = words.size() > 1 ? scenes().find(words[1]) : scenes().end();
    if (scene == scenes().end()) {
        std::cerr << "usage: childapp SCENE [ARGUMENT...]\n";
        return s_usage;
    }
    return scene->second(Arguments(words.begin() + 2, words.end()));
}
