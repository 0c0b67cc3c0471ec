import { html } from './html.ts'

/** A drawing in place of the embedded map; it may be framed and loads nothing. */
export function mapPage(): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Map of the office</title>
        <link rel="icon" href="data:," />
        <style>
          html,
          body {
            margin: 0;
            height: 100%;
            background: #cfe0d2;
          }
          svg {
            display: block;
            width: 100%;
            height: 100%;
          }
          text {
            font:
              600 13px system-ui,
              sans-serif;
            fill: #0b2a30;
          }
        </style>
      </head>
      <body>
        <svg
          viewBox="0 0 600 400"
          preserveAspectRatio="xMidYMid slice"
          role="img"
          aria-label="Map: the office beside the main road, north of the park"
        >
          <rect width="600" height="400" fill="#f3e1c2" />
          <path d="M0 300 Q150 260 260 310 T600 290 V400 H0Z" fill="#8cb7a6" />
          <path d="M430 0 Q400 120 470 200 T440 400" fill="none" stroke="#8fb8c2" stroke-width="26" />
          <g fill="none" stroke="#fbf3e3" stroke-width="16">
            <path d="M0 90 H600" />
            <path d="M0 210 H600" />
            <path d="M120 0 V400" />
            <path d="M330 0 V400" />
          </g>
          <path d="M-20 380 Q220 240 330 150 T620 20" fill="none" stroke="#f3b440" stroke-width="20" />
          <g fill="#e9cfa5">
            <rect x="150" y="110" width="70" height="60" rx="6" />
            <rect x="20" y="120" width="70" height="60" rx="6" />
            <rect x="360" y="20" width="48" height="46" rx="6" />
            <rect x="510" y="120" width="64" height="60" rx="6" />
            <rect x="20" y="20" width="70" height="46" rx="6" />
          </g>
          <path d="M270 205c0-26 20-44 44-44s44 18 44 44c0 30-44 68-44 68s-44-38-44-68z" fill="#b5472c" />
          <circle cx="314" cy="204" r="15" fill="#fbf3e3" />
          <text x="314" y="292" text-anchor="middle">The office</text>
          <text x="225" y="370" text-anchor="middle">Park</text>
        </svg>
      </body>
    </html>`.markup
}
