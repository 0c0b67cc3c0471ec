import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { useLoggedOutReason } from '#web/features/auth/logged-out.ts'
import { LoginForm } from '#web/features/auth/login-form.tsx'
import { nextPath } from '#web/features/auth/next-path.rules.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/login'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Log in', description: 'Log in to your membership.' })
}

export default function LoginPage() {
  const navigate = useNavigate()
  const { association } = useFrameContents()
  const reason = useLoggedOutReason()

  function goOn() {
    const asked = new URLSearchParams(window.location.search).get('next')
    void navigate(nextPath(asked), { replace: true })
  }

  return (
    <AnswerPage spot="lotus" title="Log in">
      <NeedsScript email={association.email} />
      {reason && (
        <Banner tone="note" role="alert">
          {reason}
        </Banner>
      )}
      <LoginForm onLoggedIn={goOn}>
        <p className="form-aside">
          <Link to={paths.resetPassword()}>Forgot your password?</Link>
        </p>
      </LoginForm>
      <p>
        Not a member yet? <Link to={paths.becomeAMember()}>Become a member</Link>
      </p>
    </AnswerPage>
  )
}
