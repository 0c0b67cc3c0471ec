import type { Kysely } from 'kysely'
import type { MessageTemplate } from '#contract/console/messages.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Clock } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { addTemplate, changeTemplate, findTemplate, listTemplates, removeTemplate } from './template.repository.ts'

type TemplateText = Pick<MessageTemplate, 'name' | 'text'>

export interface TemplateService {
  list(): Promise<MessageTemplate[]>
  add(by: Officer, text: TemplateText): Promise<void>
  /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE if the officer saw an older version */
  change(by: Officer, template: MessageTemplate): Promise<void>
  /** @throws Problem NOT_FOUND */
  remove(by: Officer, id: string): Promise<void>
}

export function createTemplateService({ db, clock }: { db: Kysely<Schema>; clock: Clock }): TemplateService {
  return {
    list: () => listTemplates(db),

    async add(by, after) {
      const now = clock.now()
      const id = newId(now)
      await db.transaction().execute(async (tx) => {
        await addTemplate(tx, { id, ...after, version: 1 }, now)
        const details = { before: null, after }
        await writeAudit(tx, { actor: by.accountId, action: 'template.added', subjectId: id, details }, now)
      })
    },

    async change(by, template) {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const before = await findTemplate(tx, template.id)
        if (!before) throw new Problem('NOT_FOUND')
        if (!(await changeTemplate(tx, template, now))) throw new Problem('CHANGED_MEANWHILE')
        const details = { before: textOf(before), after: textOf(template) }
        await writeAudit(tx, { actor: by.accountId, action: 'template.changed', subjectId: template.id, details }, now)
      })
    },

    async remove(by, id) {
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

function textOf({ name, text }: MessageTemplate): TemplateText {
  return { name, text }
}
