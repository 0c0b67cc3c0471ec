import { BRAND_KIND } from '#contract/brand/brand.ts'
import { Link } from '#web/ui/link.tsx'
import ContentRecordPage from '../content/content-record.tsx'

/** The look of the site: a content record with a page of its own, so it has drafts, a schedule and versions. */
export default function BrandPage() {
  return (
    <ContentRecordPage
      kind={BRAND_KIND}
      id="all"
      parent={{ to: '/console/settings', text: 'Association' }}
      tabs={
        <p className="soft">
          The name, address and social media links are under{' '}
          <Link to="/console/settings#settings-association">Association</Link>.
        </p>
      }
    />
  )
}
