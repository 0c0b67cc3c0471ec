import { useFrameContents } from './frame-contents.ts'

/** Whom to contact when a page cannot help. */
export function SupportLine({ question = 'Questions?' }: { question?: string }) {
  const { email } = useFrameContents().association
  return (
    <p className="small soft">
      {question} Email <a href={`mailto:${email}`}>{email}</a>.
    </p>
  )
}
