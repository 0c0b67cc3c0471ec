import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useLoggedOutReason } from './logged-out.ts'
import { LoginForm } from './login-form.tsx'
import { nextPath } from './next-path.rules.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
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

  function redirect() {
    const requested = new URLSearchParams(window.location.search).get('next')
    void navigate(nextPath(requested), { replace: true })
  }

  return (
    <ResultPage spot="lotus" title="Log in">
      <NeedsScript email={association.email} />
      {reason && (
        <Banner tone="note" role="alert">
          {reason}
        </Banner>
      )}
      <LoginForm onLoggedIn={redirect}>
        <p className="form-aside">
          <Link to={paths.resetPassword()}>Forgot your password?</Link>
        </p>
      </LoginForm>
      <p>Renewing? Log in, and your renewal is one tap away.</p>
      <p>
        Not a member yet? <Link to={paths.becomeAMember()}>Become a member</Link>
      </p>
    </ResultPage>
  )
}
