// Package serve shows the page over the files of a folder: it serves the site, the
// files, and an engine that runs recipes natively.
//
// Only the machine itself is answered. A request has to name this server as its
// host, which a page of another site whose name was made to lead here cannot do,
// and one that a browser sends for another site is refused by its origin. No
// file outside of the folder is opened, whatever links lead there.
package serve
