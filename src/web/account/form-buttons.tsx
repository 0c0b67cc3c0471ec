import { Button } from '#web/ui/button.tsx'

interface FormButtonsProps {
  label: string
  busyLabel: string
  isSubmitting: boolean
  /** null: there is nothing to return to. */
  onCancel: (() => void) | null
}

/** The buttons below a form that stands in place of what it changes. */
export function FormButtons({ label, busyLabel, isSubmitting, onCancel }: FormButtonsProps) {
  return (
    <div className="buttons">
      <Button type="submit" size="small" busy={isSubmitting} busyLabel={busyLabel}>
        {label}
      </Button>
      {onCancel && (
        <Button variant="line" size="small" disabled={isSubmitting} onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}
