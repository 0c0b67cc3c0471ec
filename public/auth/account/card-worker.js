/* Serves the page of the membership card offline after its member asked for it. It is registered for that page alone. */
importScripts('/offline-page-worker.js')

self.openOffline({ kept: 'card-shell-', folder: '/auth/account/', pages: /^\/auth\/account\/card$/ })
