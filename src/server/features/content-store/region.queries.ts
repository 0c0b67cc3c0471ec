import * as z from 'zod/mini'
import type { Config, SiteConfig } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { SINGLE_RECORD_ID } from './content-kind.rules.ts'
import { findRecord } from './content.queries.ts'
import { settingKind } from './kinds/settings.kinds.ts'
import { settingsSchema } from './settings.schema.ts'

/** The configuration with the time zone of the environment or, without one, of the settings. The database may still be empty. */
export async function withTimeZone(config: Config, db: Db): Promise<SiteConfig> {
  if (config.timeZone !== null) return { ...config, timeZone: config.timeZone }
  const stored = await findRecord(db, settingKind('region'), SINGLE_RECORD_ID)
  return { ...config, timeZone: z.parse(settingsSchema.shape.region, stored?.value).timeZone }
}
