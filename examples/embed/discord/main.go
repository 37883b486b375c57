// Discord answers the interactions of a Discord application: what is left of a bot when
// Discord calls it, and nobody holds a connection open.
//
//	/odds expression:4d6kh3 >= 15     the chances, as a table
//	/recipe name:attack               a recipe of the folder, with a menu for each input
//
// Discord signs what it sends; what is not signed is refused. An interaction has to be
// answered within three seconds, so the answer is that there will be one, and the result
// is put into the message afterwards. The inputs of a recipe are menus below its result:
// what they stand at travels in their names, so that nothing is kept between two calls.
//
//	DISCORD_PUBLIC_KEY=... go run ./examples/embed/discord -addr :8080 -recipes FOLDER
package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`ADDRESS` to listen on")
	folder := flag.String("recipes", ".", "`FOLDER` of recipes")
	flag.Parse()
	key, err := hex.DecodeString(os.Getenv("DISCORD_PUBLIC_KEY"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		fmt.Fprintln(os.Stderr, "DISCORD_PUBLIC_KEY: want the public key of the application, 64 hexadecimal digits")
		os.Exit(2)
	}
	root, err := os.OpenRoot(*folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	a, err := newApp(ed25519.PublicKey(key), root.FS(), "https://discord.com/api/v10", http.DefaultClient, time.Now)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := &http.Server{Addr: *addr, Handler: a, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
	log.Fatal(s.ListenAndServe())
}
