import {
  controlNewsletter,
  getNewsletter,
  newsletterBody,
  previewNewsletter,
  saveNewsletter,
  sendNewsletter,
  testNewsletter,
  type NewsletterDetail,
} from '#contract/console/newsletter.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'
import { CampaignCheckList } from '../campaigns/campaign-check-list.tsx'
import { checkCampaign, ok, stop } from '../campaigns/campaign-checks.rules.ts'
import { CampaignEditor } from '../campaigns/campaign-editor.tsx'
import { CampaignPreview } from '../campaigns/campaign-preview.tsx'
import { CampaignSending } from '../campaigns/campaign-sending.tsx'
import { CAMPAIGN_STATE_BADGES } from '../campaigns/campaign-states.ts'
import { CampaignTestButton } from '../campaigns/campaign-test-button.tsx'
import {
  CAMPAIGN_PARTS,
  useCampaignDraft,
  type CampaignContent,
  type CampaignForm,
} from '../campaigns/use-campaign-draft.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { NewsletterAudience } from './newsletter-audience.tsx'

const POLL_MS = 3_000

/** One newsletter: editor and preview side by side, audience, checks, sending and results. */
export default function NewsletterPage({ id }: { id: string }) {
  const found = useLoaded(getNewsletter, { params: { id } }, ({ state }) => state === 'sending' && POLL_MS)
  const { value } = found
  const [tone, label] = CAMPAIGN_STATE_BADGES[value?.state ?? 'draft']
  return (
    <ConsolePage
      title={value?.name ?? 'Newsletter'}
      lead={
        <>
          <Link to="/console/newsletter">Newsletters</Link> {value && <Badge tone={tone}>{label}</Badge>}
        </>
      }
      action={value && <CampaignTestButton endpoint={testNewsletter} id={id} />}
    >
      <WhenLoaded loaded={found} what="the newsletter">
        {(newsletter) => <Parts newsletter={newsletter} found={found} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

const FORM: CampaignForm<NewsletterDetail, CampaignContent> = {
  name: 'newsletter',
  contentOf: ({ name, subject, snippet, blocks }) => ({ name, subject, snippet, blocks: blocks ?? [] }),
  parts: CAMPAIGN_PARTS,
  body: newsletterBody,
  save: (id, body) => saveAsOfficer(saveNewsletter, { params: { id }, body }),
}

function Parts({ newsletter, found }: { newsletter: NewsletterDetail; found: Loaded<NewsletterDetail> }) {
  const { state, blocks, id, version, choices, audience, readers } = newsletter
  const draft = useCampaignDraft(newsletter, FORM, found.setValue)
  const isDraft = state === 'draft'
  const reaches =
    audience.subscribed === 0
      ? stop('No one is subscribed')
      : ok('Unsubscribe link and postal address, always at the end')
  const checks = blocks ? checkCampaign(draft.content, newsletter, reaches) : []
  const subscribers = readers === 1 ? '1 subscriber' : `${readers.toLocaleString('en-US')} subscribers`
  return (
    <div className="editor-with-preview">
      <div className="stack">
        {isDraft && blocks && (
          <CampaignEditor
            choices={choices}
            draft={draft}
            nameHint="The email’s heading and its name in the archive."
            reload={found.reload}
          />
        )}
        {isDraft && !blocks && (
          <p className="card">
            This newsletter was not created in this editor. You can preview and send it, but not edit it.
          </p>
        )}
        {(isDraft || state === 'scheduled') && <NewsletterAudience audience={audience} />}
        {isDraft && checks.length > 0 && <CampaignCheckList checks={checks} />}
        <CampaignSending
          campaign={newsletter}
          isUnsaved={draft.isChanged}
          isIncomplete={checks.some(({ level }) => level === 'stop')}
          texts={{
            audience: subscribers,
            intro: `It goes to ${subscribers}. Each email has its own unsubscribe link.`,
            scheduledFor: 'to everyone subscribed at that time',
            warning:
              'This sends now and cannot be undone. No one gets it twice, and it appears in the archive right away.',
            unsubscribed: newsletter.results?.unsubscribed ?? 0,
          }}
          send={(body) => callAsOfficer(sendNewsletter, { params: { id }, body })}
          control={(wish) => callAsOfficer(controlNewsletter, { params: { id }, body: { wish } })}
          onChanged={found.setValue}
        />
      </div>
      <CampaignPreview endpoint={previewNewsletter} id={id} version={version} />
    </div>
  )
}
