import {
  addMessageNote,
  addTemplate,
  replyToMessage,
  assignMessage,
  changeTemplate,
  getMessage,
  listMessages,
  listTemplates,
  setMessageState,
  removeTemplate,
} from '#contract/console/messages.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { InboxService } from './inbox.service.ts'
import type { TemplateService } from './template.service.ts'

export function inboxRoutes(
  server: Server,
  { inbox, templates }: { inbox: InboxService; templates: TemplateService },
): void {
  server.serve(listMessages, async ({ officer, query }) => inbox.page(requireOfficer(officer), query))
  server.serve(getMessage, async ({ params }) => inbox.read(params.id))
  server.serve(assignMessage, async ({ officer, params: { id }, body: { version, accountId } }) => {
    await inbox.assign(requireOfficer(officer), { id, version }, accountId)
    return inbox.read(id)
  })
  server.serve(replyToMessage, async ({ officer, params: { id }, body: { version, text } }) => {
    await inbox.answer(requireOfficer(officer), { id, version }, text)
    return inbox.read(id)
  })
  server.serve(setMessageState, async ({ officer, params: { id }, body: { version, state } }) => {
    await inbox.move(requireOfficer(officer), { id, version }, state)
    return inbox.read(id)
  })

  server.serve(addMessageNote, async ({ officer, params: { id }, body: { text } }) => {
    await inbox.addNote(requireOfficer(officer), id, text)
    return inbox.read(id)
  })

  const all = async () => ({ templates: await templates.list() })
  server.serve(listTemplates, all)
  server.serve(addTemplate, async ({ officer, body }) => {
    await templates.add(requireOfficer(officer), body)
    return all()
  })
  server.serve(changeTemplate, async ({ officer, params: { id }, body }) => {
    await templates.change(requireOfficer(officer), { id, ...body })
    return all()
  })
  server.serve(removeTemplate, async ({ officer, params }) => {
    await templates.remove(requireOfficer(officer), params.id)
    return all()
  })
}
