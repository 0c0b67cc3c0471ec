/** The first run in the browser. */

import type { ConfirmedStep } from '#contract/setup/site-setup.ts'
import type { ProviderSetting } from '#server/config/config.ts'

/** One row, of a site that began closed. */
export interface SiteSetupTable {
  id: 'site'
  createdAt: number
  /** SHA-256 of the code that opens the set-up page; null once it was used. */
  codeHash: string | null
  codeExpiresAt: number | null
  /** SHA-256 of the secret that the browser got for the code. */
  browserHash: string | null
  /** null while visitors see that the site is being set up. */
  openedAt: number | null
  /** An account id, or 'webmaster'. */
  openedBy: string | null
}

/** What an officer confirmed while setting up, because the site cannot see it itself. */
export interface SetupStepTable {
  step: ConfirmedStep
  doneAt: number
  /** An account id. */
  doneBy: string
}

/** A provider's setting that the set-up page stored. */
export interface ProviderSettingTable {
  name: ProviderSetting
  /** Encrypted with a separate key: reading the database is not enough to use a provider. */
  value: string
  savedAt: number
  /** An account id. */
  savedBy: string
}
