import { useState } from 'react'
import { accountPath, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { useReturnParameters, useWhenRead } from '#web/session/return-parameters.ts'
import { useSession } from '#web/session/session.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import type { Route } from './+types/still-here'

const ADDRESS = { names: ['token'], secrets: ['token'] } as const
const REFUSED = 'Your answer was not saved. Please try again.'

const LOG_IN = `${paths.login()}?${new URLSearchParams({ next: paths.stillHere() })}`

type Answer = 'here' | 'moved' | 'not-me' | 'died'
type Done = Answer | 'closed' | 'deceased'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Are you still here?' })
}

/** Where the link of a roll call leads. Nothing happens until a button is pressed, because programs that check emails open links too. */
export default function StillHerePage() {
  const address = useReturnParameters(ADDRESS)
  const { association } = useFrameContents()
  const { status } = useSession()
  const [busy, setBusy] = useState<Answer | null>(null)
  const [failure, setFailure] = useState('')
  const [done, setDone] = useState<Done | null>(null)

  async function send(answer: Answer, token: string | undefined) {
    setBusy(answer)
    setFailure('')
    try {
      const { sendAnswer } = await import('./still-here.calls.ts')
      const outcome = await sendAnswer(answer, token)
      setDone(outcome === 'saved' ? answer : outcome)
    } catch (error) {
      setFailure(errorMessage(error, { refused: REFUSED, network: REFUSED }))
    }
    setBusy(null)
  }
  const sayHere = useWhenRead(address, ({ token }) => void send('here', token))

  if (done !== null) return <Thanks done={done} />
  const token = address?.token
  if (address && !token && status !== 'member')
    return (
      <ResultPage spot="mail" title="Are you still here?" actions={<ButtonLink to={LOG_IN}>Log in</ButtonLink>}>
        <p>Open the link in our email, or log in to answer here.</p>
      </ResultPage>
    )
  const other = (answer: Answer, label: string) => (
    <Button
      variant="line"
      size="small"
      busy={busy === answer}
      busyLabel="Saving"
      onClick={() => void send(answer, token)}
    >
      {label}
    </Button>
  )
  return (
    <ResultPage spot="mail" title="Are you still here?">
      <NeedsScript email={association.email} />
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <p>{association.name} asks its members this once a year. One tap is enough.</p>
      <div className="buttons">
        <Button busy={busy === 'here'} busyLabel="Saving" onClick={sayHere}>
          I’m still here
        </Button>
      </div>
      <p>Something else?</p>
      <div className="buttons">
        {other('moved', 'I’m here, but I moved')}
        {token && other('not-me', 'This is not me')}
        {token && other('died', 'This person died')}
      </div>
    </ResultPage>
  )
}

const TITLES: Record<Done, string> = {
  here: 'Thank you, good to know',
  moved: 'Thank you. What is your new address?',
  'not-me': 'Thank you for telling us',
  died: 'We are sorry for your loss',
  closed: 'This question is over',
  deceased: 'Please contact us',
}

function Thanks({ done }: { done: Done }) {
  const { association } = useFrameContents()
  const contact = <ButtonLink to={paths.contact()}>Contact us</ButtonLink>
  const home = (
    <ButtonLink variant="line" to={paths.home()}>
      Back to home
    </ButtonLink>
  )
  const action = {
    here: home,
    moved: <ButtonLink to={accountPath('profile')}>Change my address</ButtonLink>,
    'not-me': home,
    died: contact,
    closed: contact,
    deceased: contact,
  }[done]
  return (
    <ResultPage spot={done === 'here' ? 'lotus' : 'mail'} title={TITLES[done]} actions={action}>
      {done === 'here' && <p>You do not need to do anything else until next year.</p>}
      {done === 'moved' && (
        <p>
          Please log in to change your address; that keeps it safe. If you cannot log in, reset your password there, or
          email {association.email}.
        </p>
      )}
      {done === 'not-me' && <p>We will look for the right address of our member.</p>}
      {done === 'died' && <p>Nothing changes yet. An officer will look into it, and you are welcome to write to us.</p>}
      {done === 'closed' && (
        <p>Your answer was not saved. Please tell us if our emails reach the wrong person, and we will correct it.</p>
      )}
      {done === 'deceased' && (
        <p>
          Our records say that the owner of this account died. If that is wrong, please tell us, and we will open the
          account again.
        </p>
      )}
    </ResultPage>
  )
}
