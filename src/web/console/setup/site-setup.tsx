import type { ReactNode } from 'react'
import { formatMoment } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import {
  confirmSetupStep,
  getSiteSetup,
  openSite,
  sendCardTest,
  type ConfirmedStep,
  type SetupStep,
} from '#contract/setup/site-setup.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { consoleContentUrl } from '../content/content-url.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction, type Action } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Panel } from '../ui/panel.tsx'
import { BotCheckForm } from './bot-check-form.tsx'
import { CardProviderForm } from './card-provider-form.tsx'
import { MailCheck } from './mail-check.tsx'
import { MailProviderForm } from './mail-provider-form.tsx'
import { Confirm } from './confirm-step.tsx'
import { OptionalSteps } from './optional-steps.tsx'
import { useRestart } from './use-restart.ts'

type Setup = ReplyOf<typeof getSiteSetup>

const ASK_EVERY_MS = 3_000

/** What is left to do before a new site opens. Each step can be left and found again here. */
export default function SiteSetupPage() {
  const restart = useRestart()
  const setup = useLoaded(getSiteSetup, {}, ({ isOpen, providers }) =>
    // The test event of the card provider comes a moment later.
    restart.isRunning || isOpen || providers.cards.lastEventAt !== null ? false : ASK_EVERY_MS,
  )
  const action = useAction()

  async function confirm(step: ConfirmedStep, success: string) {
    const isDone = await action.run(step, () => callAsOfficer(confirmSetupStep, { body: { step } }), success)
    if (isDone) setup.reload()
  }

  async function open() {
    const isDone = await action.run('open', () => callAsOfficer(openSite))
    if (isDone) setup.reload()
  }

  async function saved(startedAt: number) {
    await restart.wait(startedAt)
    setup.reload()
  }

  return (
    <ConsolePage title="Site setup" lead="What connects the site to its providers, and what is left before it opens.">
      <ActionMessages action={action} />
      {restart.isRunning && (
        <Banner tone="note" role="status">
          Saved. The site restarts to use it, which takes about fifteen seconds. This page goes on by itself.
        </Banner>
      )}
      <WhenLoaded loaded={setup} what="the setup">
        {(value) => (
          <div className="stack setup-steps">
            <Opening setup={value} action={action} onOpen={() => void open()} />
            <Step setup={value} step="mail" title="Email">
              <MailProviderForm key={value.startedAt} setup={value} onSaved={() => void saved(value.startedAt)} />
              {value.providers.mail.source !== 'missing' && (
                <MailCheck
                  isConfirmed={value.isOpen || isDone(value, 'mail')}
                  action={action}
                  onConfirm={() => void confirm('mail', 'Email arrives.')}
                />
              )}
            </Step>
            <Step setup={value} step="cards" title="Card payments">
              <CardProviderForm key={value.startedAt} setup={value} onSaved={() => void saved(value.startedAt)} />
              {value.providers.cards.source !== 'missing' && (
                <>
                  <p role="status">
                    {value.providers.cards.lastEventAt === null
                      ? 'No event of Stripe has arrived yet.'
                      : `Stripe’s events arrive; the last came on ${formatMoment(value.providers.cards.lastEventAt)}.`}
                  </p>
                  <div>
                    <Button
                      variant="line"
                      busy={action.busy === 'cards'}
                      busyLabel="Asking Stripe"
                      onClick={() =>
                        void action.run(
                          'cards',
                          () => callAsOfficer(sendCardTest),
                          'Stripe sends a test event. It should arrive within a minute.',
                        )
                      }
                    >
                      Send a test event
                    </Button>
                  </div>
                </>
              )}
            </Step>
            <Step setup={value} step="bot-check" title="Bot check">
              <BotCheckForm key={value.startedAt} setup={value} onSaved={() => void saved(value.startedAt)} />
            </Step>
            {!value.isOpen && (
              <OptionalSteps setup={value} action={action} onConfirm={(step, success) => void confirm(step, success)} />
            )}
            {!value.isOpen && (
              <LastSteps setup={value} action={action} onConfirm={(step, success) => void confirm(step, success)} />
            )}
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

interface LastStepsProps {
  setup: Setup
  action: Action
  onConfirm(step: ConfirmedStep, success: string): void
}

/** What officers write and confirm before the site opens, and elsewhere afterward. */
function LastSteps({ setup, action, onConfirm }: LastStepsProps) {
  return (
    <>
      <Step setup={setup} step="dues" title="Dues">
        <p>
          <Link to="/console/dues">Set your levels and prices</Link> first: until you do, they are those of the starter
          texts. Then confirm them here.
        </p>
        <Confirm
          label="These are our dues"
          busy={action.busy === 'dues'}
          isDone={isDone(setup, 'dues')}
          onConfirm={() => onConfirm('dues', 'The dues are confirmed.')}
        />
      </Step>
      <Step setup={setup} step="texts" title="Texts to finish">
        {setup.unfinished.length === 0 ? (
          <p>Every text is finished.</p>
        ) : (
          <>
            <p>
              These still have “[…]” where only you know the words. A policy is a draft until its Version is something
              other than “draft”, such as 1.
            </p>
            <ul>
              {setup.unfinished.map(({ kind, id, name, fields, isDraft }) => (
                <li key={`${kind}/${id}`}>
                  <Link to={consoleContentUrl(kind, id)}>{name}</Link>
                  {placesText(fields, isDraft)}
                </li>
              ))}
            </ul>
          </>
        )}
      </Step>
      <Step setup={setup} step="policies" title="Policies">
        <p>
          Read the <Link to="/privacy-policy">privacy policy</Link> and the <Link to="/terms-conditions">terms</Link> as
          visitors will. They promise what your association does.
        </p>
        <Confirm
          label="We have read the policies and agree to them"
          busy={action.busy === 'policies'}
          isDone={isDone(setup, 'policies')}
          onConfirm={() => onConfirm('policies', 'The policies are confirmed.')}
        />
      </Step>
    </>
  )
}

function Opening({ setup, action, onOpen }: { setup: Setup; action: Action; onOpen(): void }) {
  if (setup.isOpen)
    return (
      <Banner tone="good" title="The site is open to visitors.">
        {!setup.providers.cards.isLive && (
          <p>
            The keys of Stripe are test keys: no one can pay with a real card yet. Try it: in a private window, become a
            member and pay with a test card. The payment appears under <Link to="/console/payments">Payments</Link>,
            where you can refund it.
          </p>
        )}
      </Banner>
    )
  const left = setup.steps.filter(({ isDone: done }) => !done).length
  return (
    <Panel title="Open the site" action={<Link to="/">Look at the site</Link>}>
      <p>
        Visitors see that the site is being set up, and search engines come back later. You see the site as it will be.
      </p>
      <Button
        disabled={left > 0}
        reason={leftText(left)}
        busy={action.busy === 'open'}
        busyLabel="Opening"
        onClick={onOpen}
      >
        Open the site
      </Button>
    </Panel>
  )
}

/** Such as “: Street; Version”. */
function placesText(fields: readonly string[], isDraft: boolean): string {
  const places = [...fields, ...(isDraft ? ['Version'] : [])]
  return places.length > 0 ? `: ${places.join('; ')}` : ''
}

function leftText(left: number): string {
  if (left === 0) return 'Everything is done.'
  return left === 1 ? '1 step is left.' : `${left} steps are left.`
}

function Step({ setup, step, title, children }: { setup: Setup; step: SetupStep; title: string; children: ReactNode }) {
  const done = isDone(setup, step)
  const badge = <Badge tone={done ? 'ok' : 'warn'}>{done ? 'Done' : 'To do'}</Badge>
  return (
    <Panel title={title} action={setup.isOpen ? undefined : badge}>
      <div className="stack">{children}</div>
    </Panel>
  )
}

function isDone({ steps }: Setup, step: SetupStep): boolean {
  return steps.some((one) => one.step === step && one.isDone)
}
