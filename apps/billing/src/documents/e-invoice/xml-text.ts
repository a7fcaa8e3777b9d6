/** An element's content by name: attributes as `@name`, its own text as `#`; lists repeat the element. */
export type XmlNode = { [name: string]: XmlNode | readonly XmlNode[] | string | undefined };

// What XML 1.0 cannot carry, lone surrogates among it.
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

const escaped = (text: string): string =>
  text
    .replace(NOT_XML, '')
    .trim()
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character]!);

/**
 * An XML document, indented. What is unknown or blank is left out, and so are elements that would hold only that.
 * (xmlbuilder2 was tried: it takes "&word;" in a text for a reference and writes it as it is.)
 */
export const xmlText = (name: string, content: XmlNode): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement(name, content, '')}\n`;

/** One element of it, for what is written part by part; empty when there is nothing to say. */
export function xmlElement(name: string, content: XmlNode | string, indent: string): string {
  if (typeof content === 'string') {
    const text = escaped(content);
    return text && `${indent}<${name}>${text}</${name}>`;
  }
  let attributes = '';
  let text = '';
  const children: string[] = [];
  for (const [key, value] of Object.entries(content)) {
    if (value === undefined) continue;
    if (key === '#') text = escaped(String(value));
    else if (key.startsWith('@')) attributes += ` ${key.slice(1)}="${escaped(String(value))}"`;
    else {
      for (const each of Array.isArray(value) ? value : [value]) {
        const child = xmlElement(key, each as XmlNode | string, `${indent}  `);
        if (child) children.push(child);
      }
    }
  }
  const inner = children.length ? `\n${children.join('\n')}\n${indent}` : text;
  return inner && `${indent}<${name}${attributes}>${inner}</${name}>`;
}
