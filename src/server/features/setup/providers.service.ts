import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type {
  checkMailProvider,
  saveBotCheckProvider,
  saveCardProvider,
  saveMailProvider,
} from '#contract/setup/site-setup.ts'
import type { AppContext } from '#server/app-context.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { ConfigError, type ProviderSetting, type ProviderValues } from '#server/config/config.ts'
import { checkMailRecords } from '#server/emails/mail-records.ts'
import { checkMailServer } from '#server/emails/mail-server.ts'
import { createMailer } from '#server/emails/mailer.ts'
import { testEmail } from '#server/emails/test.emails.ts'
import type { Officer } from '#server/http/serve.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { createBotCheck } from '#server/limits/bot-check.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import { createStripeWebhook, sendTestEvent } from '#server/stripe/stripe-webhook-endpoint.ts'
import { saveProviderSettings } from './provider-settings.commands.ts'
import { deleteConfirmedStep } from './setup.commands.ts'

/** Where the card provider sends its events. */
export const webhookUrl = (siteUrl: string): string => `${siteUrl}/api/stripe/webhook`

/** Connects the site to its providers from the console: each is tried before it is stored, and used after a restart. */
export function createProviders(ctx: AppContext, { restart }: { restart: () => void }) {
  const { db, clock, config, siteUrl, secrets, settings, alerts, association } = ctx

  /** @throws Problem PROVIDER_IN_ENVIRONMENT, INVALID_INPUT */
  function requireChangeable(values: ProviderValues): void {
    if (Object.keys(values).some((name) => config.fromEnvironment.includes(name as ProviderSetting)))
      throw new Problem('PROVIDER_IN_ENVIRONMENT')
    try {
      config.withProviders(values)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      throw new Problem('INVALID_INPUT', { message: error.lines[0] ?? error.message })
    }
  }

  /** Stores the settings and restarts the site. */
  async function store(
    provider: 'mail' | 'cards' | 'bot-check',
    values: ProviderValues,
    { accountId }: Officer,
  ): Promise<{ restarts: boolean }> {
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      await saveProviderSettings(tx, secrets, { values, by: accountId, now })
      if (provider === 'mail') await deleteConfirmedStep(tx, 'mail')
      await writeAudit(tx, { actor: accountId, action: `provider.${provider}`, subjectId: 'site' }, now)
    })
    restart()
    return { restarts: true }
  }

  return {
    /** @throws Problem PROVIDER_IN_ENVIRONMENT, MAIL_SERVER_REFUSED */
    async saveMail(body: BodyOf<typeof saveMailProvider>, officer: Officer) {
      const values = { SMTP_URL: smtpUrlOf(body), MAIL_FROM: senderOf(body) }
      requireChangeable(values)
      const mail = { ...config.mail, smtpUrl: values.SMTP_URL, from: values.MAIL_FROM }
      const refusal = await sendTestEmail(mail, officer.email)
      if (refusal !== null)
        throw new Problem('MAIL_SERVER_REFUSED', {
          message: `The mail server did not accept a test email (${refusal}). Check its name, the port, the user and the password.`,
        })
      return store('mail', values, officer)
    },

    async checkMail({ email }: Officer): Promise<ReplyOf<typeof checkMailProvider>> {
      const findings =
        config.mail.smtpUrl === ''
          ? []
          : [...(await checkMailServer(config.mail.smtpUrl)), ...(await checkMailRecords(config))]
      return {
        findings: findings.map(({ about, verdict, text, publish }) => ({
          about,
          verdict,
          text,
          publish: publish ? { name: publish.name, value: publish.value } : null,
        })),
        isSent: config.mail.smtpUrl !== '' && (await sendTestEmail(config.mail, email)) === null,
        sentTo: email,
      }
    },

    /** @throws Problem PROVIDER_IN_ENVIRONMENT, CARD_PROVIDER_REFUSED, INVALID_INPUT */
    async saveCards({ secretKey, publishableKey }: BodyOf<typeof saveCardProvider>, officer: Officer) {
      const isLive = /^[sr]k_live_/.test(secretKey)
      if (/^pk_live_/.test(publishableKey) !== isLive) throw fieldProblem('publishableKey', messages.setup.keyModes)
      if (isLive && !siteUrl.startsWith('https:')) throw fieldProblem('secretKey', messages.setup.keyLive)
      const keys = { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey }
      requireChangeable({ ...keys, STRIPE_WEBHOOK_SECRET: 'whsec_new' })
      const stripe = { secretKey, apiUrl: config.stripe.apiUrl }
      const secret = await refusedAs('CARD_PROVIDER_REFUSED', createStripeWebhook(stripe, webhookUrl(siteUrl)))
      return store('cards', { ...keys, STRIPE_WEBHOOK_SECRET: secret }, officer)
    },

    /** @throws Problem CARD_PROVIDER_REFUSED */
    async testCards(): Promise<void> {
      if (config.stripe.secretKey === '') throw new Problem('CARD_PROVIDER_REFUSED')
      const { currency } = settings().region
      await refusedAs('CARD_PROVIDER_REFUSED', sendTestEvent(config.stripe, { siteUrl, currency }))
    },

    /** @throws Problem PROVIDER_IN_ENVIRONMENT, BOT_CHECK_REFUSED */
    async saveBotCheck({ siteKey, secretKey }: BodyOf<typeof saveBotCheckProvider>, officer: Officer) {
      const values = { RECAPTCHA_SITE_KEY: siteKey, RECAPTCHA_SECRET_KEY: secretKey }
      requireChangeable(values)
      const trouble = await createBotCheck({ ...config.recaptcha, secretKey }, alerts).findProblem()
      if (trouble !== null) throw new Problem('BOT_CHECK_REFUSED')
      return store('bot-check', values, officer)
    },
  }

  /** Returns the reason of a refusal; null if the server accepted it. */
  async function sendTestEmail(mail: typeof config.mail, to: string): Promise<string | null> {
    const mailer = createMailer(mail)
    try {
      await mailer.send({ ...testEmail(siteUrl, await association()), to }, `test.${newId(clock.now())}`)
      return null
    } catch (error) {
      const { code = '', responseCode = '' } = error as { code?: string; responseCode?: number }
      return String(responseCode || code || 'no response')
    } finally {
      mailer.close()
    }
  }
}

async function refusedAs<T>(code: 'CARD_PROVIDER_REFUSED', call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof PaymentProviderError) throw new Problem(code)
    throw error
  }
}

function smtpUrlOf({ host, port, isSecure, user, password }: BodyOf<typeof saveMailProvider>): string {
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return `${isSecure ? 'smtps' : 'smtp'}://${login}${host}:${port}`
}

/** Name and address as in RFC 5322: a name with characters that mean something else in an address is quoted. */
function senderOf({ fromName, fromAddress }: BodyOf<typeof saveMailProvider>): string {
  const name = fromName.replaceAll(/["<>\\]/g, '')
  return `${/[()[\]:;@,.]/.test(name) ? `"${name}"` : name} <${fromAddress}>`
}
