import { currencyName } from '#contract/money.ts'
import { useNavigate } from 'react-router'
import { addLevel, duesLimits, levelKeyOf } from '#contract/console/dues.ts'
import { AUDIENCES, type Audience } from '#contract/public/membership.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { Panel } from '../ui/panel.tsx'
import { showToast } from '../ui/toasts.tsx'
import { readTerm, TERM_OPTIONS } from './term-options.rules.ts'

const FIELDS = {
  name: 'Name',
  key: 'Key',
  description: 'Description',
  price: 'Price',
  term: 'Term',
  practice: 'In practice',
  training: 'In training',
  aims: 'Others who share our aims',
  benefits: 'Benefits',
  isOnSale: 'Available to new members at once',
} satisfies Record<string, string> & Record<Audience, string>

/** Adds a membership level. */
export default function NewLevelPage() {
  const navigate = useNavigate()
  const form = useDraftForm('level:new', {
    fields: { ...FIELDS, price: `${FIELDS.price} in ${currencyName()}` },
    initial: (typed) => ({ term: 'year:1', isOnSale: 'on', key: levelKeyOf(typed.name ?? '') }),
    errorMessage: officerErrorMessage,
    async send({ name, key, description, price, term, benefits, isOnSale, ...audiences }) {
      const body = {
        name,
        key,
        description,
        price,
        ...readTerm(term),
        audiences: AUDIENCES.filter((one) => audiences[one] === 'on'),
        benefits: benefits
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
        isOnSale: isOnSale === 'on',
      }
      const { level } = await saveAsOfficer(addLevel, { body })
      showToast(`${level.name} was added`)
      void navigate(`/console/dues/${encodeURIComponent(level.key)}`)
    },
  })
  return (
    <ConsolePage
      title="Add a level"
      action={
        <ButtonLink variant="line" to="/console/dues">
          All levels
        </ButtonLink>
      }
    >
      <form {...form.props} className="stack">
        <DraftFormMessages form={form} />
        <Panel title="Level">
          <Field {...form.field('name')} maxLength={duesLimits.nameMax} autoComplete="off" />
          <Field
            {...form.field('key')}
            maxLength={duesLimits.keyMax}
            autoComplete="off"
            hint="Used in exports and imports. It cannot be changed later."
          />
          <TextArea
            {...form.field('description')}
            rows={2}
            maxLength={duesLimits.descriptionMax}
            hint="Who may join. Shown below the name on the membership levels page."
          />
        </Panel>
        <Panel title="Price">
          <Field {...form.field('price')} inputMode="decimal" autoComplete="off" hint="0 for a free level." />
          <SelectField {...form.field('term')} options={TERM_OPTIONS} />
        </Panel>
        <Panel title="On the membership levels page">
          <fieldset>
            <legend>For</legend>
            {AUDIENCES.map((one) => (
              <Checkbox key={one} {...form.checkbox(one)} />
            ))}
          </fieldset>
          <TextArea {...form.field('benefits')} rows={4} hint="One per line; four fit best. Optional." />
          <Checkbox {...form.checkbox('isOnSale')} />
        </Panel>
        <Banner tone="note">
          The level appears last in the order, which can be changed under Dues & prices. Its price is created at the
          card provider by itself.
        </Banner>
        <div className="buttons">
          <Button type="submit" busy={form.isSubmitting} busyLabel="Adding">
            Add level
          </Button>
        </div>
      </form>
    </ConsolePage>
  )
}
