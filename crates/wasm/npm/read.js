/**
 * The bytes of a file of the package, in a browser.
 * @param {URL} url
 */
export async function read(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
