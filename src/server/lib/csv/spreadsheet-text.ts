/**
 * The text of a file that a spreadsheet saved: UTF-8 with or without its mark, "Unicode text" (UTF-16), or what Windows wrote before (Windows-1252).
 * @throws Error with a sentence, for a workbook or anything else that is no text
 */
export function textOfSpreadsheet(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new Error('The file is empty.')
  if (isWorkbook(bytes)) {
    throw new Error('This is a workbook, not a list. Open it in the spreadsheet and save it as "CSV UTF-8".')
  }
  const text = decode(bytes)
  if (text.includes('\0')) throw new Error('This is not a text file. Save the list as "CSV UTF-8" and choose that.')
  return text
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** As Excel and LibreOffice (a ZIP), and Excel of old, begin. */
function isWorkbook([first, second]: Uint8Array): boolean {
  return (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)
}
