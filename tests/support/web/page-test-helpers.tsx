import { act, cleanup, configure, render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { useEffect, type ComponentType } from 'react'
import { createRoutesStub, Outlet, useLocation } from 'react-router'
import { afterEach, vi } from 'vitest'
import { NO_ASSOCIATION, type WrittenHead } from '#contract/public/association.ts'
import type { JoinPage, LevelPresentation, MembershipLevel } from '#contract/public/membership.ts'
import type { Subscription } from '#contract/public/account.ts'
import { startSession } from '#web/session/session.ts'

// A busy machine may first have to compile what a page loads on demand.
configure({ asyncUtilTimeout: 10_000 })

const contents = {
  association: {
    ...NO_ASSOCIATION,
    name: 'Georgia Physicians of Indian Origin',
    email: 'office@example.org',
    address: {
      street: '100 Sample Parkway',
      suite: 'Suite 736',
      city: 'Norcross',
      region: 'Georgia',
      postalCode: '30071',
    },
    mapLink: 'https://map.example/office',
    replyTime: '24-48 hours',
    caution: {
      title: 'Not for medical questions',
      text: 'Please do not send medical information.',
      emergencyNumber: '911',
    },
    newsletter: { title: 'News that fits a chai break', promise: 'Two or three emails a month.' },
  },
  siteUrl: 'https://association.example',
  recaptchaScriptUrl: 'https://bot.example/api.js',
  recaptchaSiteKey: 'site-key',
  stripePublishableKey: 'pk_test',
}

export const user = {
  _id: 'u1',
  username: 'meera.r',
  email: 'meera@example.com',
  name: { first: 'Meera', last: 'Raghuvanshi' },
}
export const profile = { ...user, createdAt: '2019-03-02T12:00:00.000Z' }

export function level(key: string, over: Partial<MembershipLevel> = {}): MembershipLevel {
  return {
    _id: key,
    key,
    name: key.replaceAll('_', ' ').replaceAll(/\b\w/g, (first) => first.toUpperCase()),
    description: `About ${key}`,
    unitAmount: 10_000,
    currency: 'usd',
    interval: 'year',
    intervalCount: 1,
    isRecurring: true,
    ...over,
  }
}

export const annual = level('annual_member')
export const life = level('life_member', {
  unitAmount: 100_000,
  interval: null,
  intervalCount: null,
  isRecurring: false,
})
export const student = level('medical_student', { unitAmount: 0 })

export function subscriptionTo(membershipLevel: MembershipLevel, over: Partial<Subscription> = {}): Subscription {
  return {
    kind: membershipLevel.isRecurring ? 'RECURRING' : 'ONE_TIME',
    status: 'ACTIVE',
    startDate: '2026-03-02T12:00:00.000Z',
    nextBillDate: membershipLevel.isRecurring ? '2027-03-02T12:00:00.000Z' : null,
    cancelDate: null,
    membershipLevel,
    ...over,
  }
}

export function presentation(level: string, over: Partial<LevelPresentation> = {}): LevelPresentation {
  return { level, audiences: [], benefits: [], note: null, spot: null, ink: null, isFeatured: false, ...over }
}

/** The words at the top of a page, without anything from officers. */
export const plainHead: WrittenHead = { lead: '', description: '' }

const CHOICES: JoinPage['choices'] = [
  { audience: 'practice', title: 'I am in practice', text: 'Colleagues' },
  { audience: 'training', title: 'I am in training', text: '' },
  { audience: 'aims', title: 'I share your aims', text: '' },
]

/** The page that sells memberships, without anything from officers. */
export const plainJoinPage: JoinPage = { levels: [], asides: [], voice: null, questions: [], choices: CHOICES }

type Execute = (siteKey: string, options: { action: string }) => Promise<string>

let execute: Execute = () => Promise.reject(new Error('No bot check in this test'))

/** Stubs the bot-check library as if its script had loaded; `answer` makes its tokens. */
export function stubBotCheck(answer: Execute = (_, { action }) => Promise.resolve(`token for ${action}`)): void {
  execute = answer
  // One library for the whole file, because the code that loaded it keeps a reference.
  window.grecaptcha ??= {
    ready: (callback) => callback(),
    execute: (siteKey, options) => execute(siteKey, options),
  }
}

interface RenderedPage {
  /** Path with query; also shown in the address bar. */
  at: string
  loaderData?: unknown
  /** For routes that serve several paths: the route's pattern and the loader data for each path. */
  route?: { path: string; answers: Record<string, unknown> }
  /** For a page with pages below its own path: what their routes render. */
  below?: unknown
  /** The history entry's state; a reload keeps it. */
  historyState?: unknown
  /** The location state of the navigation that led here. */
  state?: unknown
}

/**
 * Renders a page with the root's loader data and a started session. Every other path renders as text: 'At
 * /auth/login?next=%2F'.
 */
export function renderPage(
  Page: unknown,
  { at, route, below, loaderData = null, historyState = null, state }: RenderedPage,
) {
  window.history.replaceState(historyState, '', at)
  const { pathname: path, search, hash } = new URL(at, 'http://localhost')
  const answerAt = (address: string) => route?.answers[address] ?? loaderData
  const Stub = createRoutesStub([
    {
      id: 'root',
      path: '/',
      loader: () => contents,
      Component: StartedSession,
      children: [
        // The stub passes the same props as the page's generated types.
        {
          id: 'page',
          path: (route?.path ?? path).slice(1),
          loader: ({ request }) => answerAt(new URL(request.url).pathname),
          Component: Page as ComponentType,
          ...(below !== undefined && {
            children: [
              { index: true, Component: below as ComponentType },
              { path: '*', Component: below as ComponentType },
            ],
          }),
        },
        { path: '*', index: false, Component: Elsewhere },
        { index: true, Component: Elsewhere },
      ],
    },
  ])
  const view = render(
    <Stub
      initialEntries={[{ pathname: path, search, hash, state }]}
      hydrationData={{ loaderData: { root: contents, page: answerAt(path) } }}
    />,
  )
  const person = userEvent.setup({
    advanceTimers(ms) {
      if (vi.isFakeTimers()) vi.advanceTimersByTime(ms)
    },
  })
  return { ...view, person: { ...person, type: typeInOneGo(person) } }
}

const TEXT_TYPES = ['text', 'email', 'password', 'search', 'tel', 'url', 'textarea']

/** Enters all but the last character at once: React renders the form for each key, which takes most of the time of a form’s tests. */
function typeInOneGo(person: UserEvent): UserEvent['type'] {
  return async (element, text, options) => {
    const hasKeyNames = /[{[]/.test(text)
    if (options || hasKeyNames || !('type' in element) || !TEXT_TYPES.includes(String(element.type)))
      return person.type(element, text, options)
    await person.click(element)
    await person.paste(text.slice(0, -1))
    await person.keyboard(text.slice(-1))
  }
}

function StartedSession() {
  useEffect(() => startSession(), [])
  return <Outlet />
}

function Elsewhere() {
  const { pathname, search, state } = useLocation()
  return (
    <>
      <p>{`At ${pathname}${search}`}</p>
      {state !== null && <p data-testid="state">{JSON.stringify(state)}</p>}
    </>
  )
}

/** Fakes the clock for what pages use; React has timers of its own. It advances with real time, and with `pass`. */
export function fakeClock(): void {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
}

/** Advances the fake clock. */
export function advanceTime(ms: number): Promise<void> {
  return act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
  })
}

// jsdom lays nothing out; menus and lists of Headless UI observe their size.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

afterEach(cleanup)
