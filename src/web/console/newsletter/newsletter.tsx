import { getNewsletter, type NewsletterDetail } from '#contract/console/newsletter.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { NewsletterEditor } from './newsletter-editor.tsx'
import { NewsletterPreview } from './newsletter-preview.tsx'
import { NewsletterSending } from './newsletter-sending.tsx'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { useNewsletterDraft } from './use-newsletter-draft.ts'
import { ButtonLink } from '#web/ui/button.tsx'

const POLL_MS = 3_000

/** One newsletter: editor, preview, sending and progress. */
export default function NewsletterPage({ id }: { id: string }) {
  const found = useLoaded(getNewsletter, { params: { id } }, ({ state }) => state === 'sending' && POLL_MS)
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
      {state === 'draft' && blocks && <NewsletterEditor choices={choices} draft={draft} reload={found.reload} />}
      {state === 'draft' && !blocks && (
        <p className="card">
          This newsletter was not created in this editor. You can preview and send it, but not edit it.
        </p>
      )}
      <NewsletterPreview key={`${id} ${version}`} id={id} />
      <NewsletterSending newsletter={newsletter} isUnsaved={draft.isChanged} onChanged={found.setValue} />
    </>
  )
}
