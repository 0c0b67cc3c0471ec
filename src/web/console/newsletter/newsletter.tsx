import { getNewsletter, type NewsletterDetail } from '#contract/console-newsletter.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { NewsletterComposer } from '#web/features/console/newsletter-composer.tsx'
import { NewsletterPreview } from '#web/features/console/newsletter-preview.tsx'
import { NewsletterSending } from '#web/features/console/newsletter-sending.tsx'
import { useLoaded, type Loaded } from '#web/features/console/use-loaded.ts'
import { useLookAgain } from '#web/features/console/use-look-again.ts'
import { useNewsletterDraft } from '#web/features/console/use-newsletter-draft.ts'
import { ButtonLink } from '#web/ui/button.tsx'

const LOOK_AGAIN_MS = 3_000

/** One newsletter: composed, looked at, sent and watched. */
export default function NewsletterPage({ id }: { id: string }) {
  const found = useLoaded(id, () => callAsOfficer(getNewsletter, { params: { id } }))
  useLookAgain(found, { isGoingOn: found.value?.state === 'sending', everyMs: LOOK_AGAIN_MS })
  return (
    <ConsolePage
      title={found.value?.name ?? 'Newsletter'}
      action={
        <ButtonLink variant="line" to="/console/newsletter">
          All newsletters
        </ButtonLink>
      }
    >
      <WhenLoaded loaded={found} what="the newsletter">
        {(newsletter) => <Parts newsletter={newsletter} found={found} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Parts({ newsletter, found }: { newsletter: NewsletterDetail; found: Loaded<NewsletterDetail> }) {
  const { state, blocks, id, version, choices } = newsletter
  const draft = useNewsletterDraft(newsletter, found.setValue)
  return (
    <>
      {state === 'draft' && blocks && <NewsletterComposer choices={choices} draft={draft} reload={found.reload} />}
      {state === 'draft' && !blocks && (
        <p className="sheet">This one was not composed here, so it can be looked at and sent, and not changed.</p>
      )}
      <NewsletterPreview key={`${id} ${version}`} id={id} />
      <NewsletterSending newsletter={newsletter} isUnsaved={draft.isChanged} onChanged={found.setValue} />
    </>
  )
}
