package main

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
)

// This file tells which dicescript this is, by the record that Go keeps in what
// it builds.

// release is the newest version that CHANGELOG.md tells about.
const (
	release    = "0.1.0"
	releaseDay = "2026-11-22"
)

func (t *tool) version(args []string) int {
	if len(args) > 0 {
		return t.misused("version takes no arguments")
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	fmt.Fprintln(t.stdout, versionOf(info))
	return exitOK
}

// versionOf is the line about a build: the version, the commit where it is known,
// and what it was built with and for.
func versionOf(info *debug.BuildInfo) string {
	parts := []string{"dicescript " + versionNumber(info)}
	if c := commit(info); c != "" {
		parts = append(parts, c)
	}
	return strings.Join(append(parts, info.GoVersion, runtime.GOOS+"/"+runtime.GOARCH), ", ")
}

// releaseTag is the tag of a release. A build between two of them has a version
// made up by Go, which the commit tells better.
var releaseTag = regexp.MustCompile(`^v(\d+\.\d+\.\d+(?:-(?:rc|beta|alpha)[.\d]*)?)(?:\+dirty)?$`)

// versionNumber is that of the tag that was built, otherwise that of the newest
// release that the text knows.
func versionNumber(info *debug.BuildInfo) string {
	if m := releaseTag.FindStringSubmatch(info.Main.Version); m != nil {
		return m[1]
	}
	return release
}

// commit is what was built, "" when the record does not say it.
func commit(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	id, day := settings["vcs.revision"], settings["vcs.time"]
	if len(id) < 12 {
		return ""
	}
	text := "commit " + id[:12]
	if len(day) >= len("2006-01-02") {
		text += " of " + day[:len("2006-01-02")]
	}
	if settings["vcs.modified"] == "true" {
		text += " with changes"
	}
	return text
}
