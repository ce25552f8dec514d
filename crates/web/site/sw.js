/** The service worker of a page without a server: it keeps all files, so that the page opens without a network. */

/** Written by scripts/site: changes with any file. */
const VERSION = '@VERSION@';
/** Caches belong to the whole host, on which other pages may lie beside this one. */
const OWN = `${self.registration.scope} `;
const CACHE = OWN + VERSION;
/** The files of the page and of its engine, relative to this one. @type {string[]} */
const FILES = /* @FILES@ */ [];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })))).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(OWN) && name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.open(CACHE).then((cache) => keptOrFetched(cache, event.request)));
});

/**
 * A file that is kept. Weights are kept when they are first requested, if the browser has room; a file that is requested anew, as the one that
 * was kept is damaged, takes its place.
 * @param {Cache} cache
 * @param {Request} request
 */
async function keptOrFetched(cache, request) {
  const isReload = request.cache === 'reload';
  const kept = isReload ? undefined : await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && (isReload || new URL(request.url).pathname.endsWith('.weights'))) void cache.put(request, answer.clone()).catch(() => undefined);
  return answer;
}
