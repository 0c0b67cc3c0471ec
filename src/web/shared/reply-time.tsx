import { useFrameContents } from './frame-contents.ts'

/** Within which time the association answers messages, such as "24-48 hours"; a setting. */
export function ReplyTime() {
  return <span className="nowrap">{useFrameContents().association.replyTime}</span>
}
