// The service worker: after the first visit the page needs no network. All files
// of one build are kept together, and are replaced together.

const version = "dicescript-" + __VERSION__;
const files = __FILES__;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(version)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n.startsWith("dicescript-") && n !== version).map((n) => caches.delete(n))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  url.search = url.hash = "";
  event.respondWith(
    caches.open(version).then(async (cache) => {
      const kept = (await cache.match(event.request)) ?? (await cache.match(url.href));
      return kept ?? fetch(event.request);
    }),
  );
});
