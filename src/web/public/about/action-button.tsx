import type { TextPage } from '#contract/public/association.ts'
import { paths } from '#web/app/paths.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ButtonLink } from '#web/ui/button.tsx'

interface ActionButtonProps {
  action: NonNullable<TextPage['action']>
  size?: 'small'
}

/** Opens the action's page, or an email to the association with its subject. */
export function ActionButton({ action: { label, path, subject }, size }: ActionButtonProps) {
  const { association } = useFrameContents()
  const email = subject && `mailto:${association.email}?subject=${encodeURIComponent(subject)}`
  return (
    <ButtonLink variant="solid" to={email || path || paths.contact()} {...(size && { size })}>
      {label}
    </ButtonLink>
  )
}
