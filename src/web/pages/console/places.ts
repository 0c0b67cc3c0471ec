import type { ConsolePlace } from '#web/features/console/places.ts'

/** Every page of the console, in the order of its navigation; each is fetched when it is opened. */
export const places: readonly ConsolePlace[] = [
  { path: '', label: 'Today', permission: 'console.look', load: () => import('./today.tsx') },
  { path: 'messages', label: 'Messages', permission: 'messages.answer', load: () => import('./messages.tsx') },
  { path: 'messages/:id', permission: 'messages.answer', load: () => import('./message.tsx') },
  { path: 'message-templates', permission: 'messages.answer', load: () => import('./message-templates.tsx') },
  { path: 'members', label: 'Members', permission: 'members.look', load: () => import('./members.tsx') },
  { path: 'members/:id', permission: 'members.look', load: () => import('./member.tsx') },
  {
    path: 'credentials',
    label: 'Credentials',
    permission: 'credentials.decide',
    load: () => import('./credentials.tsx'),
  },
  { path: 'payments', label: 'Payments', permission: 'money.look', load: () => import('./payments.tsx') },
  { path: 'rsvp', label: 'RSVPs', permission: 'events.run', load: () => import('./rsvp.tsx') },
  { path: 'rsvp/:id', permission: 'events.run', load: () => import('./rsvp-door.tsx') },
  { path: 'rsvp/:id/offer', permission: 'events.run', load: () => import('./rsvp-offer.tsx') },
  { path: 'content', label: 'Content', permission: 'content.change', load: () => import('./content.tsx') },
  { path: 'content/:kind', permission: 'content.change', load: () => import('./content-list.tsx') },
  { path: 'content/:kind/:id', permission: 'content.change', load: () => import('./content-record.tsx') },
  { path: 'pictures', label: 'Pictures', permission: 'content.change', load: () => import('./pictures.tsx') },
  {
    path: 'pictures/:bucket/:folder/:filename',
    permission: 'content.change',
    load: () => import('./picture.tsx'),
  },
  { path: 'newsletter', label: 'Newsletter', permission: 'newsletter.send', load: () => import('./newsletters.tsx') },
  { path: 'newsletter/:id', permission: 'newsletter.send', load: () => import('./newsletter.tsx') },
  { path: 'subscribers', permission: 'newsletter.send', load: () => import('./subscribers.tsx') },
  { path: 'sponsors', label: 'Sponsors', permission: 'sponsors.look', load: () => import('./sponsors.tsx') },
  { path: 'run-of-show', permission: 'sponsors.look', load: () => import('./run-days.tsx') },
  { path: 'run-of-show/:id', permission: 'sponsors.look', load: () => import('./run-of-show.tsx') },
  { path: 'officers', label: 'Officers', permission: 'console.look', load: () => import('./officers.tsx') },
  { path: 'access', label: 'My access', permission: 'console.look', load: () => import('./access.tsx') },
  { path: 'history', label: 'History', permission: 'audit.look', load: () => import('./history.tsx') },
]
