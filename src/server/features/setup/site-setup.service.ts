import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { mediaFolders, type Bucket } from '#contract/public/media.ts'
import {
  OPTIONAL_STEPS,
  SETUP_STEPS,
  type confirmSetupStep,
  type getSiteSetup,
  type OptionalStep,
  type ProviderSource,
  type SetupStep,
} from '#contract/setup/site-setup.ts'
import type { AppContext } from '#server/app-context.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { ProviderSetting, ProviderValues } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { SINGLE_RECORD_ID } from '#server/features/content-store/content-kind.rules.ts'
import { findRecord } from '#server/features/content-store/content.queries.ts'
import { brandKind } from '#server/features/content-store/kinds/brand.kinds.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import type { Opening } from './opening.service.ts'
import { webhookUrl } from './providers.service.ts'
import { lockSetup, markOpen, saveConfirmedStep } from './setup.commands.ts'
import { findLastProviderEvent, isSiteOpen, listConfirmedSteps } from './setup.queries.ts'

/** What is left to do before a new site opens, and opening it. */
export function createSiteSetup(
  { db, clock, config, siteUrl, cache }: AppContext,
  {
    opening,
    startedAt,
    pictures,
  }: { opening: Opening; startedAt: number; pictures: Pick<PicturesService, 'pictures'> },
) {
  const { mail: mailServer, stripe: cardProvider, recaptcha } = config
  const settings = {
    mail: { SMTP_URL: mailServer.smtpUrl, MAIL_FROM: mailServer.from },
    cards: {
      STRIPE_SECRET_KEY: cardProvider.secretKey,
      STRIPE_PUBLISHABLE_KEY: cardProvider.publishableKey,
      STRIPE_WEBHOOK_SECRET: cardProvider.webhookSecret,
    },
    botCheck: { RECAPTCHA_SITE_KEY: recaptcha.siteKey, RECAPTCHA_SECRET_KEY: recaptcha.secretKey },
  } satisfies Record<string, ProviderValues>
  /** An open site does not start without all of them. */
  const isComplete = (provider: ProviderValues) => Object.values(provider).every((value) => value !== '')

  async function listSteps(from: Db): Promise<{ step: SetupStep; isDone: boolean }[]> {
    const confirmed = await listConfirmedSteps(from)
    const isDone: Record<SetupStep, boolean> = {
      mail: isComplete(settings.mail) && confirmed.has('mail'),
      cards: isComplete(settings.cards) && (await findLastProviderEvent(from)) !== null,
      'bot-check': isComplete(settings.botCheck),
      dues: confirmed.has('dues'),
      texts: cache.content().unfinished.length === 0,
      policies: confirmed.has('policies'),
    }
    return SETUP_STEPS.map((step) => ({ step, isDone: isDone[step] }))
  }

  async function hasPictures(): Promise<boolean> {
    const folders = Object.entries(mediaFolders).flatMap(([bucket, names]) =>
      names.map((folder) => pictures.pictures(bucket as Bucket, folder)),
    )
    return (await Promise.all(folders)).some((images) => images.length > 0)
  }

  async function listOptional(from: Db): Promise<{ step: OptionalStep; isDone: boolean }[]> {
    const confirmed = await listConfirmedSteps(from)
    const brand = await findRecord(from, brandKind, SINGLE_RECORD_ID)
    const isDone: Record<OptionalStep, boolean> = {
      brand: confirmed.has('brand') || (brand !== null && brand.revision !== null),
      pictures: confirmed.has('pictures') || (await hasPictures()),
    }
    return OPTIONAL_STEPS.map((step) => ({ step, isDone: isDone[step] }))
  }

  function sourceOf(provider: ProviderValues): ProviderSource {
    const isOnServer = Object.keys(provider).some((name) => config.fromEnvironment.includes(name as ProviderSetting))
    if (isOnServer) return isComplete(provider) ? 'environment' : 'incomplete'
    return isComplete(provider) ? 'console' : 'missing'
  }

  return {
    /** How many steps are left, and which optional ones; none for a site that is open. */
    async findLeft(): Promise<{ steps: number; optional: OptionalStep[] }> {
      if (opening.isOpen()) return { steps: 0, optional: [] }
      const steps = await listSteps(db)
      const optional = await listOptional(db)
      return {
        steps: steps.filter(({ isDone }) => !isDone).length + 1,
        optional: optional.flatMap(({ step, isDone }) => (isDone ? [] : [step])),
      }
    },

    async read({ email }: Officer): Promise<ReplyOf<typeof getSiteSetup>> {
      const { stripe, mail } = config
      const lastEventAt = await findLastProviderEvent(db)
      return {
        isOpen: await isSiteOpen(db),
        steps: await listSteps(db),
        optional: await listOptional(db),
        unfinished: cache.content().unfinished,
        providers: {
          mail: { source: sourceOf(settings.mail), from: mail.from, testAddress: email },
          cards: {
            source: sourceOf(settings.cards),
            isLive: stripe.live,
            webhookUrl: webhookUrl(siteUrl),
            lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
          },
          botCheck: { source: sourceOf(settings.botCheck) },
        },
        startedAt,
      }
    },

    /** @throws Problem SETUP_STEP_EARLY */
    async confirm({ step }: BodyOf<typeof confirmSetupStep>, { accountId }: Officer): Promise<void> {
      const isEarly =
        (step === 'mail' && !isComplete(settings.mail)) ||
        (step === 'policies' && cache.content().unfinished.length > 0)
      if (isEarly) throw new Problem('SETUP_STEP_EARLY')
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await saveConfirmedStep(tx, { step, by: accountId, now })
        await writeAudit(tx, { actor: accountId, action: `setup.${step}`, subjectId: 'site' }, now)
      })
    },

    /** Opens the site; no effect if it is open. @throws Problem SETUP_UNFINISHED */
    async open({ accountId }: Officer): Promise<void> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const setup = await lockSetup(tx)
        if (!setup || setup.openedAt !== null) return
        const steps = await listSteps(tx)
        if (steps.some(({ isDone }) => !isDone)) throw new Problem('SETUP_UNFINISHED')
        await markOpen(tx, { by: accountId, now })
        await writeAudit(tx, { actor: accountId, action: 'setup.opened', subjectId: 'site' }, now)
      })
      await opening.refresh()
    },
  }
}

export type SiteSetupService = ReturnType<typeof createSiteSetup>
