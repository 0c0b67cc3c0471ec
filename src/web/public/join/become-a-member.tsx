import { startTransition, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { fieldsAtJoining } from '#contract/member-record/record-fields.ts'
import type { JoinPage, MembershipLevel } from '#contract/public/membership.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useProfileCheck } from './registration/use-profile-check.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { loggedOutState } from '../login/logged-out.ts'
import { useSession } from '#web/session/session.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ChosenLevel } from './chosen-level.tsx'
import { PlanList, planButtonId } from './plan-list.tsx'
import { canChangeLevel, planLabel } from '#web/shared/plan-label.rules.ts'
import { loadRegistrationForm, Registration } from './registration/registration.tsx'
import type { RegistrationDraft } from './registration/registration-form.tsx'
import { BeforeYouJoin, JoinHead, RenewalBand, Voice } from './join-sections.tsx'
import { useLevelChanges } from './use-level-changes.ts'
import { useLevels } from './use-levels.ts'
import { usePlanChange } from './use-plan-change.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, MoreLink } from '#web/ui/button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Steps } from '#web/ui/steps.tsx'
import { Skeleton, Spinner } from '#web/ui/loading.tsx'
import type { Route } from './+types/become-a-member'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [levels, page, head, fields] = await Promise.all([
    services.levels(),
    services.joinPage(),
    services.pageHead('becomeAMember'),
    services.fieldsAtJoining(),
  ])
  return { levels, page, head, fields }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return pageMeta({
    contents,
    title: 'Become a member',
    description: loaderData?.head.description,
  })
}

export default function BecomeAMemberPage({ loaderData }: Route.ComponentProps) {
  const navigate = useNavigate()
  const { user } = useSession()
  const [chosen, setChosen] = useState<MembershipLevel | null>(null)
  const [draft, setDraft] = useState<RegistrationDraft>({})
  const [backTo, setBackTo] = useState<string | null>(null)

  const check = useProfileCheck(({ outcome, message: sentence }) => {
    if (outcome === 'home') return void navigate(paths.home(), { replace: true })
    const back = new URLSearchParams({ next: paths.becomeAMember() })
    void navigate(`${paths.login()}?${back}`, { replace: true, state: loggedOutState(sentence) })
  })
  const isRegistering = chosen !== null && check.step === 'visitor'

  useEffect(() => {
    if (backTo !== null) document.getElementById(planButtonId(backTo))?.focus()
  }, [backTo])

  return (
    <>
      {user ? (
        <PageHead
          title={`Welcome ${user.username}!`}
          lead={
            check.step === 'member' && check.account
              ? check.account.lead
              : 'Choose, change or renew your membership here.'
          }
        />
      ) : (
        !isRegistering && <JoinHead lead={loaderData.head.lead} />
      )}
      {isRegistering && !user && <h1 className="visually-hidden">Become a member</h1>}
      {isRegistering ? (
        <ChosenLevel
          level={chosen}
          onBack={() => {
            setBackTo(chosen.key)
            setChosen(null)
          }}
        >
          <Registration
            level={chosen}
            fields={fieldsAtJoining(loaderData.fields, chosen.key)}
            links={{ terms: paths.termsConditions(), privacy: paths.privacyPolicy() }}
            draft={draft}
            onDraft={setDraft}
            onRegistered={(email) => void navigate(`${paths.emailVerification()}?${new URLSearchParams({ email })}`)}
          />
        </ChosenLevel>
      ) : (
        <Plans
          fromServer={loaderData.levels}
          page={loaderData.page}
          check={check}
          onSelect={(level) => {
            setBackTo(null)
            // The form has many fields; a transition lets a slow phone paint the pressed button first.
            startTransition(() => setChosen(level))
          }}
        />
      )}
      {!user && !isRegistering && <RenewalBand />}
    </>
  )
}

interface PlansProps {
  fromServer: MembershipLevel[]
  page: JoinPage
  check: ReturnType<typeof useProfileCheck>
  onSelect(level: MembershipLevel): void
}

function Plans({ fromServer, page, check, onSelect }: PlansProps) {
  const navigate = useNavigate()
  const { association } = useFrameContents()
  const { step, levels, reload } = useLevels(fromServer)
  const { busyKey, problem, problemRef, begin } = usePlanChange(() => void navigate(`${paths.stripeSuccess()}?free=1`))
  const { status } = useSession()
  const [early, setEarly] = useState<MembershipLevel | null>(null)
  const visitor = {
    isLoggedIn: check.step !== 'visitor',
    subscription: check.step === 'member' ? (check.account?.subscription ?? null) : null,
  }
  const changes = useLevelChanges(canChangeLevel(visitor.subscription), levels)
  const isKnown = status !== 'unknown' && check.step !== 'checking'

  function choose(level: MembershipLevel): void {
    const { action } = planLabel(level, visitor)
    if (action === 'select') onSelect(level)
    if (action === 'checkout' || action === 'manage') begin(level, action)
  }

  // A click from before the viewer is known takes effect once it is.
  useEffect(() => {
    if (!early || !isKnown) return
    setEarly(null)
    choose(early)
    // Runs when the viewer becomes known, not for each new callback.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [early, isKnown])

  const isVisitor = check.step === 'visitor'
  return (
    <>
      <div className="wrap section plans-section">
        <NeedsScript email={association.email} />
        {problem && (
          <Banner tone="bad" role="alert" ref={problemRef}>
            {problem}
          </Banner>
        )}
        {step === 'failed' && (
          <Banner tone="bad" role="alert" title="Failed to load membership levels">
            <p>
              Check your connection and try again, or write to{' '}
              <a href={`mailto:${association.email}`}>{association.email}</a>.
            </p>
            <Button variant="line" size="small" onClick={reload}>
              Try again
            </Button>
          </Banner>
        )}
        {step === 'loading' && levels.length === 0 && <PlansWaiting />}
        {step === 'ready' && levels.length === 0 && <p>No memberships are available right now.</p>}
        {levels.length > 0 && (
          <PlanList
            asks={isVisitor}
            levels={levels}
            page={page}
            ownKey={check.step === 'member' ? check.account?.subscription?.membershipLevel.key : undefined}
            getLabel={(level) => planLabel(level, visitor)}
            changes={changes}
            busyKey={early?.key ?? busyKey}
            onPreload={() => check.step === 'visitor' && void loadRegistrationForm().catch(() => {})}
            onChoose={(level) => (isKnown ? choose(level) : setEarly(level))}
          />
        )}
      </div>
      {isVisitor && page.voice && <Voice {...page.voice} />}
      <div className="wrap section after-plans">
        <Disclosure summary="How it works" open={isVisitor}>
          <Steps
            steps={[
              { title: 'Fill out the form', text: 'Two minutes. No card needed yet.' },
              { title: 'Verify email', text: 'We send a link and a 6-digit code.' },
              {
                title: 'Complete payment',
                text: "On our card processor's secure page. Your membership starts right away.",
              },
            ]}
          />
        </Disclosure>
        {isVisitor && page.questions.length > 0 ? (
          <BeforeYouJoin questions={page.questions} />
        ) : (
          <p>
            <MoreLink to={paths.faqs()}>Questions about joining and dues</MoreLink>
          </p>
        )}
      </div>
    </>
  )
}

function PlansWaiting() {
  return (
    <>
      <Spinner text="Loading membership levels..." />
      <div className="plans" aria-hidden="true">
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} height="30rem" />
        ))}
      </div>
    </>
  )
}
