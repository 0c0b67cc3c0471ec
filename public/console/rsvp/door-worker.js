/* Serves an event's check-in page offline after it was opened online. Its location limits its scope to /console/rsvp/, so it never handles public pages. */
importScripts('/offline-page-worker.js')

self.openOffline({ kept: 'door-shell-', folder: '/console/rsvp/', pages: /^\/console\/rsvp\/[^/]+$/ })
