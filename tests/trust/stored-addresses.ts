import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import type { World } from './site.ts'

const HOSTILE_ADDRESSES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://example.org/%0Aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'vbscript:msgbox(1)',
]

/** Plants URLs as an older release without validation may have stored them, in every field that holds one. Returns how many. */
export async function storeAddresses({ database: { db } }: World): Promise<number> {
  let turn = 0
  const next = () => HOSTILE_ADDRESSES[turn++ % HOSTILE_ADDRESSES.length] ?? ''
  for (const { id } of await db.selectFrom('event').select('id').execute())
    await db
      .updateTable('event')
      .set({ detailsLink: next(), imageKeys: JSON.stringify([next()]) })
      .where('id', '=', id)
      .execute()
  for (const { id } of await db.selectFrom('newsItem').select('id').execute())
    await db.updateTable('newsItem').set({ imageKey: next() }).where('id', '=', id).execute()
  for (const { id } of await db.selectFrom('sponsor').select('id').execute())
    await db.updateTable('sponsor').set({ website: next(), logo: next() }).where('id', '=', id).execute()
  for (const { slug } of await db.selectFrom('page').select('slug').execute()) {
    const more = JSON.stringify([{ label: 'More', path: next() }])
    await db.updateTable('page').set({ more }).where('slug', '=', slug).execute()
  }
  await db.updateTable('notice').set({ linkPath: next() }).execute()
  for (const key of ['association', 'clinic']) {
    const { value } = await db.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirstOrThrow()
    const links = key === 'association' ? [{ label: 'Bad', url: next() }] : undefined
    const changed = { ...JSON.parse(value), mapLink: next(), ...(links && { socialLinks: links }) }
    await db
      .updateTable('setting')
      .set({ value: JSON.stringify(changed) })
      .where('key', '=', key)
      .execute()
  }
  await incrementContentVersion(db)
  return turn
}
