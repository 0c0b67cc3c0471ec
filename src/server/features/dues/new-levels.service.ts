import { formatMoney } from '#contract/money.ts'
import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import type { addLevel } from '#contract/console/dues.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem } from '#server/lib/problem.ts'
import { incrementContentVersion, lockContent } from '#server/features/content-store/content.commands.ts'
import { SINGLE_RECORD_ID } from '#server/features/content-store/content-kind.rules.ts'
import { findRecord } from '#server/features/content-store/content.queries.ts'
import { joinPageKind } from '#server/features/content-store/kinds/join.kinds.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import { ensurePrice } from './dues.effects.ts'
import { insertLevel } from './dues.repository.ts'

const JOIN_PAGE = { kind: joinPageKind.kind, id: SINGLE_RECORD_ID } as const
/** The card provider charges no less. */
const SMALLEST_PRICE = 50

/** Membership levels that officers add. */
export function createNewLevels(
  { db, clock, cache, wakeOutbox }: AppContext,
  { content }: { content: Pick<BulkContentEditor, 'publish'> },
) {
  return {
    /**
     * Adds a level: the page that sells memberships, registrations, imports and changes of level know it at once. Its price is created at the card provider by
     * the outbox, once; until then the first buyer creates it. @throws Problem INVALID_INPUT for a key or name that is taken
     */
    async add(
      by: Officer,
      {
        name,
        key,
        description,
        price,
        interval,
        intervalCount,
        audiences,
        benefits,
        isOnSale,
      }: BodyOf<typeof addLevel>,
    ): Promise<void> {
      if (price > 0 && price < SMALLEST_PRICE)
        throw fieldProblem(
          'price',
          `Please enter at least ${formatMoney(SMALLEST_PRICE, region().currency)}, or 0 for a free level`,
        )
      if (price === 0 && interval === null)
        throw fieldProblem('price', 'A free level needs a term, so that its members renew')
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        await lockContent(tx)
        const others = await listLevels(tx)
        if (others.some((level) => level.name.toLowerCase() === name.toLowerCase()))
          throw fieldProblem('name', 'Another level has this name')
        const level = {
          id: newId(now),
          key,
          name,
          description,
          unitAmount: price,
          currency: region().currency,
          interval,
          intervalCount: interval === null ? null : intervalCount,
          isOnSale: isOnSale ? 1 : 0,
        }
        if (!(await insertLevel(tx, level))) throw fieldProblem('key', 'Another level has this key')
        if (audiences.length + benefits.length > 0) {
          const page = (await findRecord(tx, joinPageKind, SINGLE_RECORD_ID))?.value ?? {
            levels: [],
            asides: [],
            questions: [],
          }
          const levels = [
            ...page.levels.filter((one) => one.level !== name),
            { level: name, audiences, benefits, isFeatured: false },
          ]
          await content.publish(tx, by.accountId, JOIN_PAGE, { ...page, levels })
        }
        await incrementContentVersion(tx)
        const after = { name, price, term: interval === null ? 'for life' : `${intervalCount} ${interval}`, isOnSale }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'dues.level_added', subjectId: key, details: { before: null, after } },
          now,
        )
        if (price > 0)
          await addToOutbox(
            tx,
            { effect: ensurePrice, payload: { levelKey: key }, dedupeKey: `ensure-price:${key}:added` },
            now,
          )
      })
      await cache.refresh()
      wakeOutbox()
    },
  }
}

export type NewLevels = ReturnType<typeof createNewLevels>
