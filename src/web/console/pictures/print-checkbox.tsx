import { useId } from 'react'
import { Checkbox } from '#web/ui/field.tsx'

/** Whether a photograph is printed in the site's two inks. */
export function PrintCheckbox({ isPrint, onChange }: { isPrint: boolean; onChange(isPrint: boolean): void }) {
  return (
    <Checkbox
      id={useId()}
      name="isPrint"
      label="Print in two colors, like the site’s drawings (the original is kept)"
      checked={isPrint}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}
