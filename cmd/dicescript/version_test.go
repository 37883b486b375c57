package main

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "vcs.revision", Value: "fc82c084010ff91dc39d61236f0b630cfddfcbb4"},
			{Key: "vcs.time", Value: "2026-11-22T09:55:06Z"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	system := ", go1.26.8, " + runtime.GOOS + "/" + runtime.GOARCH
	for _, c := range []struct {
		module   string
		settings []debug.BuildSetting
		want     string
	}{
		{"(devel)", nil, "dicescript " + release},
		{"v2.3.4", vcs("false"), "dicescript 2.3.4, commit fc82c084010f of 2026-11-22"},
		{"v2.3.4+dirty", vcs("true"), "dicescript 2.3.4, commit fc82c084010f of 2026-11-22 with changes"},
		{"v2.4.0-rc.1", nil, "dicescript 2.4.0-rc.1"},
		{"v0.0.0-20261122095506-fc82c084010f", vcs("false"), "dicescript " + release + ", commit fc82c084010f of 2026-11-22"},
		{"v2.3.5-0.20261122095506-fc82c084010f", vcs("false"), "dicescript " + release + ", commit fc82c084010f of 2026-11-22"},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: c.module}, Settings: c.settings}
		if got := versionOf(info); got != c.want+system {
			t.Errorf("%s: got %q, want %q", c.module, got, c.want+system)
		}
	}
}

// The newest release that CHANGELOG.md tells about is the one that the command
// says it is, and so is that of the package for JavaScript.
func TestVersionIsThatOfTheChangelog(t *testing.T) {
	m := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+) \((.*)\)$`).FindStringSubmatch(read(t, "../../CHANGELOG.md"))
	if m == nil || m[1] != release || m[2] != releaseDay {
		t.Errorf("CHANGELOG.md begins with release %q, the command is %q of %s", m, release, releaseDay)
	}
	m = regexp.MustCompile(`"version": "([^"]*)"`).FindStringSubmatch(read(t, "../../web/dicescript/package.json"))
	if m == nil || m[1] != release {
		t.Errorf("the package for JavaScript is %q, the command is %q", m, release)
	}
}
