import type { JoinPage } from '#contract/public/membership.ts'
import { paths } from '#web/app/paths.ts'
import { ButtonLink, MoreLink } from '#web/ui/button.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { Quote } from '#web/public/quote.tsx'
import { SplitHead } from '../split-head.tsx'

/** The parts of the page around the levels, for visitors. */

/** Those who renew start with their account. */
const LOG_IN_TO_RENEW = `${paths.login()}?${new URLSearchParams({ next: paths.becomeAMember() })}`

export function JoinHead({ lead }: { lead: string }) {
  return (
    <div className="join-head">
      <SplitHead
        title="Become a member"
        statement="Take your place at the table."
        lead={lead}
        picture={
          <Picture
            src="/art/scene-chair.svg"
            alt="A long table under a lamp. Colleagues are seated, seen from behind, and one chair in the light is free"
            width={1200}
            height={1000}
          />
        }
      >
        <p>
          Already a member?{' '}
          <Link to={LOG_IN_TO_RENEW}>
            <b>Log in to renew</b>
          </Link>
        </p>
      </SplitHead>
    </div>
  )
}

export function RenewalBand() {
  return (
    <section className="panel renewal-band" aria-labelledby="renewal">
      <div className="wrap">
        <div>
          <h2 id="renewal">Already a member?</h2>
          <p className="soft">Log in and we'll take you straight to your renewal.</p>
        </div>
        <ButtonLink variant="line" to={LOG_IN_TO_RENEW}>
          Log in to renew
        </ButtonLink>
      </div>
    </section>
  )
}

export function Voice({ quote, name, detail, portrait }: NonNullable<JoinPage['voice']>) {
  return (
    <section className="section ground" aria-label="A member’s words">
      <div className="wrap voice">
        {portrait && <Picture src={imageUrl(portrait)} alt="" width={600} height={700} />}
        <Quote text={quote} name={name} detail={detail} />
      </div>
    </section>
  )
}

export function BeforeYouJoin({ questions }: Pick<JoinPage, 'questions'>) {
  return (
    <section className="questions" aria-labelledby="before-you-join">
      <h2 id="before-you-join">Before you join</h2>
      <div>
        {questions.map(({ question, answer }, index) => (
          <details key={question} className="fold" open={index === 0}>
            <summary>{question}</summary>
            {/* Sanitized on the server. */}
            <div className="prose" dangerouslySetInnerHTML={{ __html: answer }} />
          </details>
        ))}
        <p>
          <MoreLink to={paths.faqs()}>All questions</MoreLink>
        </p>
      </div>
    </section>
  )
}
