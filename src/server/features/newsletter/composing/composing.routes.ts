import {
  createNewsletter,
  getNewsletter,
  listNewsletters,
  previewNewsletter,
  saveNewsletter,
  sendNewsletter,
  controlNewsletter,
  testNewsletter,
} from '#contract/console/newsletter.ts'
import {
  inviteSubscriber,
  checkSubscriberFile,
  exportSubscribers,
  importSubscriberFile,
  listSubscriberImports,
  listSubscribers,
  undoSubscriberImport,
  unsubscribeByOfficer,
} from '#contract/console/subscribers.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { ComposingService } from './composing.service.ts'
import type { SubscribersService } from '../subscribers/subscriber-list.service.ts'
import type { SendingService } from '../sending/sending.service.ts'

export function composingRoutes(
  server: Server,
  {
    composing,
    sending,
    subscribers,
  }: { composing: ComposingService; sending: SendingService; subscribers: SubscribersService },
): void {
  server.serve(listNewsletters, async ({ query }) => composing.list(query))
  server.serve(createNewsletter, async ({ officer, body }) => composing.create(requireOfficer(officer), body.name))
  server.serve(getNewsletter, async ({ params }) => composing.read(params.id))
  server.serve(saveNewsletter, async ({ officer, params, body }) =>
    composing.save(requireOfficer(officer), params.id, body),
  )
  server.serve(previewNewsletter, async ({ params }) => composing.preview(params.id))
  server.serve(testNewsletter, async ({ officer, params }) => ({
    email: await composing.sendTest(requireOfficer(officer), params.id),
  }))
  server.serve(sendNewsletter, async ({ officer, params, body }) => {
    await sending.send(requireOfficer(officer), params.id, body)
    return composing.read(params.id)
  })
  server.serve(controlNewsletter, async ({ officer, params, body }) => {
    await sending.applyAction(requireOfficer(officer), params.id, body.wish)
    return composing.read(params.id)
  })

  server.serve(listSubscribers, async ({ query }) => subscribers.list(query))
  server.serveFile(exportSubscribers, async ({ officer, query }) => subscribers.export(requireOfficer(officer), query))
  server.serve(inviteSubscriber, async ({ officer, body: { email } }) => {
    await subscribers.invite(requireOfficer(officer), email)
    return { email }
  })
  server.serve(unsubscribeByOfficer, async ({ officer, params }) => ({
    email: await subscribers.unsubscribe(requireOfficer(officer), params.id),
  }))
  server.serve(listSubscriberImports, () => subscribers.imports.list())
  server.serve(undoSubscriberImport, ({ officer, params }) =>
    subscribers.imports.undo(requireOfficer(officer), params.id),
  )
}

/** Routes that read the body only after the caller is authorized. */
export function subscriberUploadRoutes(server: Server, subscribers: SubscribersService): void {
  server.serve(checkSubscriberFile, async ({ query, readUpload }) => subscribers.check(query, await readUpload()))
  server.serve(importSubscriberFile, async ({ officer, query, readUpload }) =>
    subscribers.import(requireOfficer(officer), query, await readUpload()),
  )
}
