import {
  askSubscriber,
  beginNewsletter,
  checkReaders,
  getNewsletter,
  importReaders,
  listNewsletters,
  listSubscribers,
  previewNewsletter,
  saveNewsletter,
  sendNewsletter,
  steerNewsletter,
  takeOffSubscriber,
  testNewsletter,
} from '#contract/console-newsletter.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { ComposingService } from './composing.service.ts'
import type { ReadersService } from './readers.service.ts'
import type { SendingService } from './sending.service.ts'

export function composingRoutes(
  server: Server,
  { composing, sending, readers }: { composing: ComposingService; sending: SendingService; readers: ReadersService },
): void {
  server.serve(listNewsletters, async () => ({ newsletters: await composing.list() }))
  server.serve(beginNewsletter, async ({ officer, body }) => composing.begin(requireOfficer(officer), body.name))
  server.serve(getNewsletter, async ({ params }) => composing.read(params.id))
  server.serve(saveNewsletter, async ({ officer, params, body }) =>
    composing.save(requireOfficer(officer), params.id, body),
  )
  server.serve(previewNewsletter, async ({ params }) => composing.preview(params.id))
  server.serve(testNewsletter, async ({ officer, params }) => ({
    email: await composing.test(requireOfficer(officer), params.id),
  }))
  server.serve(sendNewsletter, async ({ officer, params, body }) =>
    sending.send(requireOfficer(officer), params.id, body),
  )
  server.serve(steerNewsletter, async ({ officer, params, body }) =>
    sending.steer(requireOfficer(officer), params.id, body.wish),
  )

  server.serve(listSubscribers, async ({ query }) => readers.page(query))
  server.serve(askSubscriber, async ({ officer, body: { email } }) => {
    await readers.ask(requireOfficer(officer), email)
    return { email }
  })
  server.serve(takeOffSubscriber, async ({ officer, params }) => ({
    email: await readers.takeOff(requireOfficer(officer), params.id),
  }))
}

/** Where bodies are left unread until the caller was let in. */
export function readerUploads(server: Server, readers: ReadersService): void {
  server.serve(checkReaders, async ({ readUpload }) => readers.check(await readUpload()))
  server.serve(importReaders, async ({ officer, query, readUpload }) =>
    readers.import(requireOfficer(officer), query, await readUpload()),
  )
}
