package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// A Server is an http.Handler for one folder.
type Server struct {
	folder *folder
	site   fs.FS
	port   string
	engine Engine
	mux    *http.ServeMux
}

// An Engine answers what the page asks, as [answer.Engine] does.
type Engine interface {
	Call(ctx context.Context, method string, args []byte) (answer []byte)
}

// mostRequest is how many bytes a question may have: a recipe with the files beside it.
const mostRequest = 8 << 20

// New returns a server for the files below a root, with the site's files, that
// answers at a port.
func New(root Root, name string, site fs.FS, port string, engine Engine) *Server {
	s := &Server{
		folder: &folder{root: root, name: name}, site: site, port: port, engine: engine, mux: http.NewServeMux(),
	}
	s.mux.HandleFunc("GET /{$}", s.index)
	s.mux.HandleFunc("GET /index.html", s.index)
	s.mux.Handle("GET /", http.FileServerFS(site))
	s.mux.HandleFunc("GET /api/files", s.files)
	s.mux.HandleFunc("GET /api/changes", s.changes)
	s.mux.HandleFunc("PUT /api/files/{name...}", s.put)
	s.mux.HandleFunc("DELETE /api/files/{name...}", s.remove)
	s.mux.HandleFunc("POST /api/call/{method}", s.call)
	return s
}

// ServeHTTP answers requests that this machine's own page sends.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if why := s.foreign(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	s.mux.ServeHTTP(w, r)
}

// foreign says why a request is not one of the page; "" when it is.
func (s *Server) foreign(r *http.Request) string {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || port != s.port || !isLocal(host) {
		return "this server answers at http://127.0.0.1:" + s.port + " only"
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" || u.Host != r.Host {
			return "this server does not answer other sites"
		}
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return "this server does not answer other sites"
	}
	return ""
}

// isLocal reports whether a host is this machine by its own name.
func isLocal(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// index is the site's page, told that it shows a folder.
func (s *Server) index(w http.ResponseWriter, _ *http.Request) {
	page, err := fs.ReadFile(s.site, "index.html")
	if err != nil {
		http.Error(w, "the site has no index.html", http.StatusInternalServerError)
		return
	}
	meta := fmt.Sprintf(`<head><meta name="dicescript-folder" content="%s">`, html.EscapeString(s.folder.name))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(bytes.Replace(page, []byte("<head>"), []byte(meta), 1))
}

// files are all recipes of the folder, with their texts.
func (s *Server) files(w http.ResponseWriter, _ *http.Request) {
	texts, err := s.folder.texts()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, texts)
}

// put saves a file.
func (s *Server) put(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostFile))
	if err != nil {
		http.Error(w, "the text is longer than a recipe may be", http.StatusRequestEntityTooLarge)
		return
	}
	answered(w, s.folder.write(r.PathValue("name"), text))
}

// remove deletes a file.
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	answered(w, s.folder.remove(r.PathValue("name")))
}

func answered(w http.ResponseWriter, err error) {
	var bad *nameError
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.As(err, &bad):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case errors.Is(err, fs.ErrNotExist):
		http.Error(w, "there is no such file", http.StatusNotFound)
	default:
		http.Error(w, err.Error(), http.StatusForbidden)
	}
}

// call answers what the page asks of an engine. A page that no longer waits ends
// the run.
func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		http.Error(w, "want a question as application/json", http.StatusUnsupportedMediaType)
		return
	}
	args, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostRequest))
	if err != nil {
		http.Error(w, "the question is too long", http.StatusRequestEntityTooLarge)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(s.engine.Call(r.Context(), r.PathValue("method"), args))
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
