import type { DirectoryChoice } from '#contract/public/my-account/directory-choice.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { storeRecord } from './stored-records.ts'
import type { TestBrowser } from '../browser/test-browser.ts'
import type { TestApp } from '../test-app.ts'

/** A member with an active membership, who may be listed. */
export interface DirectoryMember {
  id: string
  email: string
  browser: TestBrowser
  /** Stores values and who sees them, as the member would. */
  put(values: Record<string, unknown>, audiences: Record<string, string>): Promise<void>
  choose(choice?: Partial<Pick<DirectoryChoice, 'inMembers' | 'inPublic' | 'takesMessages'>>): Promise<DirectoryChoice>
}

export async function joinForDirectory(app: TestApp, given: Record<string, unknown> = {}): Promise<DirectoryMember> {
  const browser = app.browser()
  const { email } = await browser.join({ levelKey: 'medical_student', ...given })
  const account = await app.database.db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', email)
    .executeTakeFirstOrThrow()
  return {
    id: account.id,
    email,
    browser,
    async put(values, audiences) {
      const { version } = (await browser.get('/api/account/record')).body
      const saved = await browser.call('PUT', '/api/account/record', { version, values, audiences })
      if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
    },
    async choose(choice = {}) {
      const whole = { inMembers: true, inPublic: false, takesMessages: true, ...choice }
      return (await browser.call('PUT', '/api/account/directory', whole)).body as DirectoryChoice
    },
  }
}

/** Publishes the settings of the public page. */
export async function openPublicDirectory(app: TestApp, given: Record<string, unknown> = {}): Promise<void> {
  const { db } = app.database
  await storeRecord(db, settingKind('publicDirectory'), {
    isOn: true,
    title: 'Find a physician',
    schemaType: 'Physician',
    ...given,
  })
  await db.transaction().execute(incrementContentVersion)
  await app.app.refreshContent()
}
