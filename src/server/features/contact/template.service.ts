import type { AppContext } from '#server/app-context.ts'
import type { MessageTemplate } from '#contract/console/messages.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { addTemplate, changeTemplate, findTemplate, listTemplates, removeTemplate } from './template.repository.ts'

type TemplateText = Pick<MessageTemplate, 'name' | 'text'>

export function createTemplateService({ db, clock }: AppContext) {
  return {
    list: (): Promise<MessageTemplate[]> => listTemplates(db),

    async add(by: Officer, after: TemplateText): Promise<void> {
      const now = clock.now()
      const id = newId(now)
      await db.transaction().execute(async (tx) => {
        await addTemplate(tx, { id, ...after, version: 1 }, now)
        const details = { before: null, after }
        await writeAudit(tx, { actor: by.accountId, action: 'template.added', subjectId: id, details }, now)
      })
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE if the officer saw an older version */
    async change(by: Officer, template: MessageTemplate): Promise<void> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const before = await findTemplate(tx, template.id)
        if (!before) throw new Problem('NOT_FOUND')
        if (!(await changeTemplate(tx, template, now))) throw new Problem('CHANGED_MEANWHILE')
        const details = { before: textOf(before), after: textOf(template) }
        await writeAudit(tx, { actor: by.accountId, action: 'template.changed', subjectId: template.id, details }, now)
      })
    },

    /** @throws Problem NOT_FOUND */
    async remove(by: Officer, id: string): Promise<void> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const before = await findTemplate(tx, id)
        if (!before || !(await removeTemplate(tx, id))) throw new Problem('NOT_FOUND')
        const details = { before: textOf(before), after: null }
        await writeAudit(tx, { actor: by.accountId, action: 'template.removed', subjectId: id, details }, now)
      })
    },
  }
}

export type TemplateService = ReturnType<typeof createTemplateService>

function textOf({ name, text }: MessageTemplate): TemplateText {
  return { name, text }
}
