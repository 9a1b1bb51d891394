/**
 * The only scripts of these pages. They show their button where the browser knows passkeys, and the pages do without
 * them. Each is allowed by its digest, so nothing is ever put into them; what they say stands in the page.
 */
const COMMON = `
const post = async (path, body) => {
  const answer = await fetch(path, { method: 'POST', credentials: 'same-origin',
    headers: { 'content-type': 'application/json', accept: 'application/json' }, body: JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.errors?.base?.[0]);
  return json;
};
const button = document.getElementById('passkey');
const fault = document.getElementById('passkey-fault');
const attempt = (work) => button.addEventListener('click', async () => {
  fault.hidden = true;
  button.disabled = true;
  try { await work(); }
  catch (error) {
    button.disabled = false;
    if (error.name === 'NotAllowedError') return;
    const said = JSON.parse(fault.dataset.said);
    fault.textContent = said[error.message] ?? (error.message || said['']);
    fault.hidden = false;
  }
});`

export const PASSKEY_SIGN_IN_SCRIPT = `${COMMON}
if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  button.hidden = false;
  attempt(async () => {
    const options = await post('/sign_in/passkey/options', {});
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    const back = document.querySelector('input[name=return_to]');
    const answer = await post('/sign_in/passkey', { credential: credential.toJSON(), return_to: back ? back.value : '' });
    location.assign(answer.location);
  });
}
`

export const PASSKEY_REGISTRATION_SCRIPT = `${COMMON}
if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  button.hidden = false;
  attempt(async () => {
    const options = await post('/account/passkeys/options', {});
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const credential = await navigator.credentials.create({ publicKey });
    await post('/account/passkeys', { credential: credential.toJSON() });
    location.reload();
  });
}
`
