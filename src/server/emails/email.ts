import { facesOf } from '#contract/brand/brand.ts'
import { paletteOf, type Colors } from '#contract/brand/palette.ts'
import { addressLines } from '#contract/address-lines.ts'
import type { Association } from '#contract/public/association.ts'
import { Html, html } from './html.ts'
import type { EmailText } from './words.rules.ts'
import { fillContent } from './wording.rules.ts'

/** A rendered email. */
export interface Email {
  subject: string
  html: string
  text: string
  /** What it was rendered from, so that texts that officers changed can replace the original ones. */
  source?: { content: EmailContent; association: Association }
}

/** A rendered email with its recipient, as composed for the outbox. */
export interface OutgoingEmail extends Email {
  to: string
  /** Where replies go, if not to the association. */
  replyTo?: string
  /** The kind whose changed wording it has, if not its own. */
  wordedAs?: string
  /** Called with the Message-ID once the mail server has accepted the email. */
  onSent?(messageId: string): Promise<void>
  /** With a `cid`, an inline image that the HTML shows by `cid:…`. */
  attachments?: { filename: string; contentType: string; content: Uint8Array; cid?: string }[]
}

/** The building blocks of an email; the HTML and the text version are rendered from the same blocks. */
export type EmailBlock<Text = EmailText> =
  /** `isFixed`: officers cannot change its wording, because it is a person's own text, or has legal or security reasons. */
  | { kind: 'text'; text: Text; isFixed?: true }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'link'; lead: Text; label: string; url: string }
  | { kind: 'code'; lead: Text; code: string }
  | { kind: 'details'; details: [label: string, value: string][] }
  | { kind: 'note'; text: Text; isFixed?: true }
  /** Sanitized markup with inline styles. */
  | { kind: 'words'; html: Html; text: string }
  /** As wide as the email, or `width` pixels on white. */
  | { kind: 'picture'; url: string; alt: string; width?: number }

export interface EmailContent<Text = EmailText> {
  subject: Text
  /** The preview line that email clients show after the subject. */
  preview: Text
  heading: Text
  blocks: EmailBlock<Text>[]
  /** Added to the `<head>` of the HTML. */
  head?: Html
}

/** Renders an email in the association's layout: 600 px wide, system fonts, with dark mode. */
export function renderEmail(content: EmailContent, association: Association): Email {
  const filled = fillContent(content)
  return {
    subject: filled.subject,
    html: String(renderHtml(filled, association)),
    text: renderText(filled, association),
    source: { content, association },
  }
}

const FONTS = { serif: 'Georgia,serif', sans: 'Arial,sans-serif' }
const STRIP = ['deep', 'clay', 'saffron', 'clay', 'teal'] as const
const STRIP_REPEATS = 5

/** What the styles of an email are made from, since its clients know no custom properties. */
export interface EmailStyle {
  colors: Colors
  dark: Colors
  headingFont: string
  textFont: string
}

export function emailStyle({ brand }: Association): EmailStyle {
  const { light: colors, dark } = paletteOf(brand)
  const faces = facesOf(brand?.typefaces)
  return { colors, dark, headingFont: FONTS[faces.heading], textFont: FONTS[faces.text] }
}

function darkStyles({ dark: colors }: EmailStyle): string {
  return `@media (prefers-color-scheme:dark){.bg{background:${colors.paper}!important}.card{background:${colors.ground}!important}.ink,.ink a,.ink h2,.ink h3{color:${colors.ink}!important}.soft,.soft a{color:${colors['ink-soft']}!important}.code{background:${colors['ground-2']}!important;color:${colors.heading}!important}.line{border-color:${colors.line}!important}}@media (max-width:480px){.pad{padding-left:22px!important;padding-right:22px!important}}`
}

function renderHtml({ subject, preview, heading, blocks, head }: EmailContent<string>, association: Association): Html {
  const style = emailStyle(association)
  const { colors, headingFont, textFont } = style
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        ${head ?? ''}
        <style>
          ${new Html(darkStyles(style))}
        </style>
      </head>
      <body class="bg" style="margin:0;background:${colors.ground}">
        <div style="display:none;max-height:0;overflow:hidden">${preview}</div>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
          <tr>
            <td align="center" style="padding:32px 12px">
              <table
                role="presentation"
                class="card"
                width="600"
                cellpadding="0"
                cellspacing="0"
                style="max-width:600px;width:100%;background:${colors.paper}"
              >
                <tr>
                  <td style="font-size:0;line-height:0">
                    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
                      <tr>
                        ${strip(style)}
                      </tr>
                    </table>
                  </td>
                </tr>
                <tr>
                  <td class="pad ink" style="padding:34px 48px 0;font:700 20px/1.15 ${headingFont};color:${colors.heading}">
                    ${association.name}
                  </td>
                </tr>
                <tr>
                  <td class="pad ink" style="padding:30px 48px 0;font:700 32px/1.12 ${headingFont};color:${colors.heading}">
                    ${heading}
                  </td>
                </tr>
                ${blocks.map((block) => renderBlock(block, style))}
                <tr>
                  <td class="pad soft" style="padding:34px 48px 36px;font:400 14px/1.6 ${textFont};color:${colors['ink-soft']}">
                    ${association.name}, ${postalLine(association)}<br /><a
                      href="mailto:${association.email}"
                      style="color:${colors.link}"
                      >${association.email}</a
                    >. We reply within ${association.replyTime}.
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`
}

function strip({ colors }: EmailStyle): Html[] {
  return Array.from({ length: STRIP_REPEATS }, () => STRIP)
    .flat()
    .map((ink) => html`<td style="height:12px;background:${colors[ink]}" width="4%"></td>`)
}

function renderBlock(block: EmailBlock<string>, { colors, headingFont, textFont }: EmailStyle): Html {
  switch (block.kind) {
    case 'text':
      return html`<tr>
        <td class="pad ink" style="padding:16px 48px 0;font:400 17px/1.6 ${textFont};color:${colors.ink}">${withBreaks(block.text)}</td>
      </tr>`
    case 'note':
      return html`<tr>
        <td class="pad soft" style="padding:22px 48px 0;font:400 15px/1.6 ${textFont};color:${colors['ink-soft']}">${withBreaks(block.text)}</td>
      </tr>`
    case 'words':
      return html`<tr>
        <td class="pad ink" style="padding:8px 48px 0;font:400 17px/1.6 ${textFont};color:${colors.ink}">${block.html}</td>
      </tr>`
    case 'picture':
      if (block.width) return renderSmallPicture(block.url, block.alt, block.width)
      return html`<tr>
        <td class="pad" style="padding:26px 48px 0">
          <img src="${block.url}" alt="${block.alt}" width="504" style="display:block;width:100%;height:auto;border:0" />
        </td>
      </tr>`
    case 'button':
      return html`<tr>
        <td class="pad" style="padding:26px 48px 0">
          <table role="presentation" cellpadding="0" cellspacing="0">
            <tr>
              <td style="background:${colors.action};border-bottom:3px solid ${colors['action-edge']};border-radius:7px">
                <a
                  href="${block.url}"
                  style="display:inline-block;padding:15px 30px;font:700 17px/1.2 ${textFont};color:${colors['action-ink']};text-decoration:none"
                  >${block.label}</a
                >
              </td>
            </tr>
          </table>
        </td>
      </tr>`
    case 'link':
      return html`<tr>
        <td class="pad ink" style="padding:16px 48px 0;font:400 17px/1.6 ${textFont};color:${colors.ink}">
          ${block.lead} <a href="${block.url}" style="color:${colors.link}">${block.label}</a>
        </td>
      </tr>`
    case 'code':
      return html`<tr>
          <td class="pad soft" style="padding:26px 48px 8px;font:400 15px/1.5 ${textFont};color:${colors['ink-soft']}">${block.lead}</td>
        </tr>
        <tr>
          <td class="pad" style="padding:0 48px">
            <span
              class="code"
              style="display:inline-block;background:${colors['ground-2']};color:${colors.ink};font:700 28px/1 ${headingFont};letter-spacing:6px;padding:16px 14px 14px 20px;border-radius:7px"
              >${block.code}</span
            >
          </td>
        </tr>`
    case 'details':
      return html`<tr>
        <td class="pad" style="padding:22px 48px 0">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
            ${block.details.map(
              ([label, value]) =>
                html`<tr>
                  <td
                    class="soft line"
                    style="padding:9px 12px 9px 0;border-bottom:1px solid ${colors.line};font:400 15px/1.4 ${textFont};color:${colors['ink-soft']}"
                  >
                    ${label}
                  </td>
                  <td
                    class="ink line"
                    align="right"
                    style="padding:9px 0;border-bottom:1px solid ${colors.line};font:700 15px/1.4 ${textFont};color:${colors.ink}"
                  >
                    ${value}
                  </td>
                </tr>`,
            )}
          </table>
        </td>
      </tr>`
  }
}

function withBreaks(text: string): Html[] {
  return text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
}

function renderSmallPicture(url: string, alt: string, width: number): Html {
  return html`<tr>
    <td class="pad" style="padding:16px 48px 0">
      <img src="${url}" alt="${alt}" width="${width}" height="${width}" style="display:block;background:#fff;border:0" />
    </td>
  </tr>`
}

function renderText(
  { heading, blocks }: Pick<EmailContent<string>, 'heading' | 'blocks'>,
  association: Association,
): string {
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case 'text':
      case 'note':
      case 'words':
        return block.text
      case 'picture':
        return ''
      case 'button':
        return `${block.label}:\n${block.url}`
      case 'link':
        return `${block.lead} ${block.label}:\n${block.url}`
      case 'code':
        return `${block.lead}\n${block.code}`
      case 'details':
        return block.details.map(([label, value]) => `${label}: ${value}`).join('\n')
    }
  })
  const sender = `-- \n${association.name}\n${postalLine(association)}\n${association.email}`
  return `${[heading, ...parts.filter((part) => part !== ''), sender].join('\n\n')}\n`
}

export function postalLine({ address }: Association): string {
  return addressLines(address).join(', ')
}
