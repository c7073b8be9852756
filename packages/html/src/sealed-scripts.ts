// Written by `npm run write sealed-scripts` from packages/html/browser. Do not edit.

/** The script that browser/link.ts becomes. */
export const linkScript = `
function utf8(text) {
  return new TextEncoder().encode(text)
}
function toBase64url(bytes) {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "")
}
function decode(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0))
}

async function derive(name, secret, length, parameters) {
  const { subtle } = crypto
  const key2 = await subtle.importKey("raw", secret, name, false, ["deriveBits"])
  return new Uint8Array(await subtle.deriveBits({ name, hash: "SHA-256", ...parameters }, key2, length * 8))
}
function hkdf(secret, info, length, salt = new Uint8Array()) {
  return derive("HKDF", secret, length, { salt, info })
}

var rounds = 6e5
var keyInFragment = /^([\\w-]{21}[AQgw])(?:[.,)>\\u2026"'/\\]]|%(?:2[279CEFcef]|3[Ee]|5[Dd]|[Ee]2%80%[Aa]6))*$/
function readKey(fragment) {
  const text = keyInFragment.exec(fragment)?.[1]
  return text === void 0 ? void 0 : decode(text)
}
function keyText(key2) {
  return toBase64url(key2)
}
async function proofOf(key2) {
  return toBase64url(await hkdf(key2, utf8("sotto/sealed/1/proof"), 32))
}
async function lockOf(key2, password = "") {
  if (password === "") return { secret: key2, password: void 0 }
  const salt = await hkdf(key2, utf8("sotto/sealed/1/password"), 32)
  const stretched = await derive("PBKDF2", utf8(password.normalize("NFC")), 64, { salt, iterations: rounds })
  const both = new Uint8Array([...key2, ...stretched.slice(0, 32)])
  return {
    secret: await hkdf(both, utf8("sotto/sealed/1/key"), 16),
    password: toBase64url(stretched.slice(32))
  }
}

function show(state) {
  for (const part of document.querySelectorAll("[data-when]"))
    part.hidden = !part.dataset["when"]?.split(" ").includes(state)
}

var form = document.querySelector("form[data-when]")
var { origin, pathname } = location
var links = [...document.links].filter(
  (link) => link.origin === origin && link.pathname === pathname && !link.hash
)
for (const link of links)
  if (link.search === location.search) link.href += link.href.includes("?") ? "&" : "?"
var key
var look = () => {
  const hash = location.hash.replace(/~[\\w-]{22}$/, "")
  if (hash) history.replaceState(null, "", hash)
  key = readKey(hash.slice(1))
  for (const link of links) link.hash = hash
  const state = isSecureContext ? "ready" : "insecure"
  show(key ? state : "incomplete")
}
addEventListener("hashchange", look)
look()
var proven
var prove = async (form2, key2) => {
  const field = form2.querySelector("[name=password]")
  const { secret, password } = await lockOf(key2, field?.value)
  form2.action = \`#\${keyText(key2)}\${password ? \`~\${keyText(secret)}\` : ""}\`
  proven = { proof: await proofOf(key2), password }
  setTimeout(() => form2.requestSubmit())
}
form?.addEventListener("submit", (event) => {
  if (proven || !key) return
  event.preventDefault()
  event.stopImmediatePropagation()
  void prove(form, key)
})
form?.addEventListener("formdata", ({ formData }) => {
  if (!proven) return
  formData.set("proof", proven.proof)
  if (proven.password) formData.set("password", proven.password)
  proven = void 0
});
`

/** The script that browser/opened.ts becomes. */
export const openedScript = `
function utf8(text) {
  return new TextEncoder().encode(text)
}
function fromUtf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return void 0
  }
}
function toBase64url(bytes) {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "")
}
function decode(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0))
}
function fromBase64url(text) {
  try {
    const bytes = decode(text)
    return toBase64url(bytes) === text ? bytes : void 0
  } catch {
    return void 0
  }
}

function readContent(bytes) {
  const whole = fromUtf8(bytes)
  if (whole === void 0) return void 0
  const at = whole.indexOf("\\0")
  if (at === -1) return { text: whole, files: [] }
  const files = readFiles(whole.slice(at + 1))
  return files && { text: whole.slice(0, at), files }
}
function readFiles(json) {
  try {
    const files = JSON.parse(json).map(readFile)
    return files.every((file) => file !== void 0) ? files : void 0
  } catch {
    return void 0
  }
}
function readFile([encodedKey, name, size, type]) {
  const key = typeof encodedKey === "string" ? fromBase64url(encodedKey) : void 0
  if (key?.length !== 16 || typeof name !== "string" || typeof type !== "string") return void 0
  return Number.isSafeInteger(size) && size >= 0 ? { key, name, size, type } : void 0
}

async function derive(name, secret, length, parameters) {
  const { subtle } = crypto
  const key = await subtle.importKey("raw", secret, name, false, ["deriveBits"])
  return new Uint8Array(await subtle.deriveBits({ name, hash: "SHA-256", ...parameters }, key, length * 8))
}
function hkdf(secret, info, length, salt = new Uint8Array()) {
  return derive("HKDF", secret, length, { salt, info })
}

var tagBytes = 16
var headerBytes = 21
var fileRecordBytes = 65536
var filePieceBytes = fileRecordBytes - tagBytes - 1
var [hasNext, isLast] = [1, 2]
async function recordsUnder(secret, salt) {
  const { subtle } = crypto
  const raw = await hkdf(secret, utf8("Content-Encoding: aes128gcm\\0"), 16, salt)
  const base = await hkdf(secret, utf8("Content-Encoding: nonce\\0"), 12, salt)
  const key = await subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"])
  const nonceOf = (number) => {
    const iv = base.slice()
    const view = new DataView(iv.buffer)
    view.setUint32(8, view.getUint32(8) ^ number)
    return { name: "AES-GCM", iv }
  }
  return {
    seal: async (number, plain) => new Uint8Array(await subtle.encrypt(nonceOf(number), key, plain)),
    open: (number, record) => subtle.decrypt(nonceOf(number), key, record).then(
      (plain) => new Uint8Array(plain),
      () => void 0
    )
  }
}
function readHeader(bytes) {
  const end = headerBytes + (bytes[20] ?? 0)
  if (bytes.length < end) return void 0
  const recordBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(16)
  return { salt: bytes.slice(0, 16), recordBytes, keyId: bytes.slice(headerBytes, end) }
}
function withoutPadding(plain, delimiter) {
  if (plain === void 0) return void 0
  const end = plain.findLastIndex((byte) => byte !== 0)
  return plain[end] === delimiter ? plain.subarray(0, end) : void 0
}
function paddedBytes(length) {
  const least = Math.max(256, length)
  const exponent = 31 - Math.clz32(least)
  const step = 2 ** (exponent - 32 + Math.clz32(exponent))
  return Math.ceil(least / step) * step
}
async function openRecord(sealed, secretOf) {
  const header = readHeader(sealed)
  const content = await readRecord(sealed, secretOf)
  if (header === void 0 || content === void 0) return void 0
  const recordBytes = paddedBytes(content.length + 1) + tagBytes
  const isOurs = header.recordBytes === recordBytes && sealed.length === headerBytes + header.keyId.length + recordBytes
  return isOurs ? content : void 0
}
async function readRecord(sealed, secretOf) {
  const header = readHeader(sealed)
  const secret = header && await secretOf(header.keyId)
  if (header === void 0 || secret === void 0) return void 0
  const { open } = await recordsUnder(secret, header.salt)
  return withoutPadding(await open(0, sealed.subarray(headerBytes + header.keyId.length)), isLast)
}

var sealedNote = /^sotto-sealed-1\\.[\\w-]{43}\\.([\\w-]{391,})$/
var keyInFragment = /^([\\w-]{21}[AQgw])(?:[.,)>\\u2026"'/\\]]|%(?:2[279CEFcef]|3[Ee]|5[Dd]|[Ee]2%80%[Aa]6))*$/
function readKey(fragment) {
  const text = keyInFragment.exec(fragment)?.[1]
  return text === void 0 ? void 0 : decode(text)
}
async function openNote({ secret }, note2) {
  const body = fromBase64url(sealedNote.exec(note2)?.[1] ?? "")
  const plain = body && await openRecord(body, (keyId) => Promise.resolve(keyId.length === 0 ? secret : void 0))
  return plain && readContent(plain)
}

function show(state) {
  for (const part of document.querySelectorAll("[data-when]"))
    part.hidden = !part.dataset["when"]?.split(" ").includes(state)
}

var note = document.getElementById("note") ?? document.body
var [, keyPart = "", secretPart = keyPart] = /^#([\\w-]{22})(?:~([\\w-]{22}))?$/.exec(location.hash) ?? []
history.replaceState(null, "", location.pathname + location.search)
async function readNote(fileCount) {
  const secret = readKey(secretPart)
  const content = secret && await openNote({ secret, password: void 0 }, note.textContent)
  if (content?.files.length !== fileCount) {
    show("undecryptable")
    return void 0
  }
  note.textContent = content.text
  show(content.text ? "text" : "files")
  return content.files
}

void readNote(0);
`

/** The script that browser/opened-files.ts becomes. */
export const openedFilesScript = `
function utf8(text) {
  return new TextEncoder().encode(text)
}
function fromUtf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return void 0
  }
}
function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
function toBase64url(bytes) {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "")
}
function decode(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0))
}
function fromBase64url(text) {
  try {
    const bytes = decode(text)
    return toBase64url(bytes) === text ? bytes : void 0
  } catch {
    return void 0
  }
}

function readContent(bytes) {
  const whole = fromUtf8(bytes)
  if (whole === void 0) return void 0
  const at = whole.indexOf("\\0")
  if (at === -1) return { text: whole, files: [] }
  const files = readFiles(whole.slice(at + 1))
  return files && { text: whole.slice(0, at), files }
}
function readFiles(json) {
  try {
    const files = JSON.parse(json).map(readFile)
    return files.every((file) => file !== void 0) ? files : void 0
  } catch {
    return void 0
  }
}
function readFile([encodedKey, name, size, type]) {
  const key = typeof encodedKey === "string" ? fromBase64url(encodedKey) : void 0
  if (key?.length !== 16 || typeof name !== "string" || typeof type !== "string") return void 0
  return Number.isSafeInteger(size) && size >= 0 ? { key, name, size, type } : void 0
}

async function derive(name, secret, length, parameters) {
  const { subtle } = crypto
  const key = await subtle.importKey("raw", secret, name, false, ["deriveBits"])
  return new Uint8Array(await subtle.deriveBits({ name, hash: "SHA-256", ...parameters }, key, length * 8))
}
function hkdf(secret, info, length, salt = new Uint8Array()) {
  return derive("HKDF", secret, length, { salt, info })
}

var tagBytes = 16
var headerBytes = 21
var fileRecordBytes = 65536
var filePieceBytes = fileRecordBytes - tagBytes - 1
var [hasNext, isLast] = [1, 2]
async function recordsUnder(secret, salt) {
  const { subtle } = crypto
  const raw = await hkdf(secret, utf8("Content-Encoding: aes128gcm\\0"), 16, salt)
  const base = await hkdf(secret, utf8("Content-Encoding: nonce\\0"), 12, salt)
  const key = await subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"])
  const nonceOf = (number) => {
    const iv = base.slice()
    const view = new DataView(iv.buffer)
    view.setUint32(8, view.getUint32(8) ^ number)
    return { name: "AES-GCM", iv }
  }
  return {
    seal: async (number, plain) => new Uint8Array(await subtle.encrypt(nonceOf(number), key, plain)),
    open: (number, record) => subtle.decrypt(nonceOf(number), key, record).then(
      (plain) => new Uint8Array(plain),
      () => void 0
    )
  }
}
function readHeader(bytes) {
  const end = headerBytes + (bytes[20] ?? 0)
  if (bytes.length < end) return void 0
  const recordBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(16)
  return { salt: bytes.slice(0, 16), recordBytes, keyId: bytes.slice(headerBytes, end) }
}
function withoutPadding(plain, delimiter) {
  if (plain === void 0) return void 0
  const end = plain.findLastIndex((byte) => byte !== 0)
  return plain[end] === delimiter ? plain.subarray(0, end) : void 0
}
function paddedBytes(length) {
  const least = Math.max(256, length)
  const exponent = 31 - Math.clz32(least)
  const step = 2 ** (exponent - 32 + Math.clz32(exponent))
  return Math.ceil(least / step) * step
}
async function openRecord(sealed, secretOf) {
  const header = readHeader(sealed)
  const content = await readRecord(sealed, secretOf)
  if (header === void 0 || content === void 0) return void 0
  const recordBytes = paddedBytes(content.length + 1) + tagBytes
  const isOurs = header.recordBytes === recordBytes && sealed.length === headerBytes + header.keyId.length + recordBytes
  return isOurs ? content : void 0
}
async function readRecord(sealed, secretOf) {
  const header = readHeader(sealed)
  const secret = header && await secretOf(header.keyId)
  if (header === void 0 || secret === void 0) return void 0
  const { open } = await recordsUnder(secret, header.salt)
  return withoutPadding(await open(0, sealed.subarray(headerBytes + header.keyId.length)), isLast)
}
var Undecryptable = class extends Error {
  name = "Undecryptable"
}
function openFile(key, size) {
  let held = new Uint8Array()
  let records
  let [number, left] = [0, size]
  const open = async (record, delimiter, controller) => {
    const piece = withoutPadding(await records?.open(number++, record), delimiter)
    if (piece === void 0 || (left -= piece.length) < 0) throw new Undecryptable()
    controller.enqueue(piece)
  }
  return new TransformStream({
    async transform(chunk, controller) {
      held = concat(held, chunk)
      if (records === void 0) {
        if (held.length < headerBytes) return
        const header = readHeader(held)
        if (header?.recordBytes !== fileRecordBytes || header.keyId.length > 0) throw new Undecryptable()
        records = await recordsUnder(key, header.salt)
        held = held.slice(headerBytes)
      }
      let at = 0
      for (; held.length - at > fileRecordBytes; at += fileRecordBytes)
        await open(held.subarray(at, at + fileRecordBytes), hasNext, controller)
      held = held.slice(at)
    },
    async flush(controller) {
      await open(held, isLast, controller)
      if (left > 0) throw new Undecryptable()
    }
  })
}

var sealedNote = /^sotto-sealed-1\\.[\\w-]{43}\\.([\\w-]{391,})$/
var keyInFragment = /^([\\w-]{21}[AQgw])(?:[.,)>\\u2026"'/\\]]|%(?:2[279CEFcef]|3[Ee]|5[Dd]|[Ee]2%80%[Aa]6))*$/
function readKey(fragment) {
  const text = keyInFragment.exec(fragment)?.[1]
  return text === void 0 ? void 0 : decode(text)
}
async function openNote({ secret }, note2) {
  const body = fromBase64url(sealedNote.exec(note2)?.[1] ?? "")
  const plain = body && await openRecord(body, (keyId) => Promise.resolve(keyId.length === 0 ? secret : void 0))
  return plain && readContent(plain)
}

function show(state) {
  for (const part of document.querySelectorAll("[data-when]"))
    part.hidden = !part.dataset["when"]?.split(" ").includes(state)
}

var note = document.getElementById("note") ?? document.body
var [, keyPart = "", secretPart = keyPart] = /^#([\\w-]{22})(?:~([\\w-]{22}))?$/.exec(location.hash) ?? []
history.replaceState(null, "", location.pathname + location.search)
async function readNote(fileCount) {
  const secret = readKey(secretPart)
  const content = secret && await openNote({ secret, password: void 0 }, note.textContent)
  if (content?.files.length !== fileCount) {
    show("undecryptable")
    return void 0
  }
  note.textContent = content.text
  show(content.text ? "text" : "files")
  return content.files
}

function sizeText(bytes, locale) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"]
  let size = bytes
  let at = 0
  while (size >= 1024 && at < 3) {
    size /= 1024
    at += 1
  }
  const rounded = size < 100 ? Math.floor(size * 10) / 10 : Math.floor(size)
  const unitDisplay = at === 0 ? "long" : "short"
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: units[at] ?? "gigabyte",
    unitDisplay,
    maximumFractionDigits: 1
  }).format(rounded)
}

function showFile(file, row) {
  const link = row.querySelector("a")
  const [name, size] = [row.querySelector("bdi"), row.querySelector("small")]
  if (!link || !name || !size) return
  link.download = name.textContent = shownName(file.name)
  size.textContent = sizeText(file.size, document.documentElement.lang)
  link.onclick = (event) => {
    event.preventDefault()
    void save(file, link)
  }
}
var shownName = (name) => name.replace(/[\\\\/\\p{Cc}\\p{Zl}\\p{Zp}\\p{Surrogate}\\p{Bidi_Control}]/gu, "\\uFFFD")
var status = document.querySelector("[data-saving]")
var isSaving = false
var save = async ({ key, size }, link) => {
  if (isSaving || !status) return
  isSaving = true
  const { saving = "", undecryptable = "", failed = "" } = status.dataset
  status.textContent = saving
  try {
    const { ok, body } = await fetch(link.href)
    if (!ok || !body) throw new Error()
    const pieces = []
    const all = new WritableStream({ write: (piece) => void pieces.push(piece) })
    await body.pipeThrough(openFile(key, size)).pipeTo(all)
    saveBlob(new Blob(pieces, { type: "application/octet-stream" }), link.download)
    status.textContent = ""
  } catch (error) {
    status.textContent = error instanceof Undecryptable ? undecryptable : failed
  }
  isSaving = false
}
function saveBlob(content, name) {
  const saved = document.createElement("a")
  saved.download = name
  saved.href = URL.createObjectURL(content)
  saved.click()
  setTimeout(URL.revokeObjectURL, 6e4, saved.href)
}

var rows = [...document.querySelectorAll(".files li")]
void readNote(rows.length).then((files) => {
  for (const [at, file] of files?.entries() ?? []) {
    const row = rows[at]
    if (row) showFile(file, row)
  }
});
`

/** The script that browser/secret-link.ts becomes. */
export const secretLinkScript = `
function show(state) {
  for (const part of document.querySelectorAll("[data-when]"))
    part.hidden = !part.dataset["when"]?.split(" ").includes(state)
}

var { hash, pathname, search } = location
if (/^#[\\w-]{22}$/.test(hash)) {
  for (const url of document.querySelectorAll("[data-url]")) url.append(hash)
  history.replaceState(null, "", pathname + search)
  show("keyed")
}
`

/** The script that browser/seal-form.ts becomes. */
export const sealFormScript = `
"use strict";(()=>{function w(e){return crypto.getRandomValues(new Uint8Array(e))}function f(e){return new TextEncoder().encode(e)}function x(...e){let t=new Uint8Array(e.reduce((n,{length:o})=>n+o,0)),r=0;for(let n of e)t.set(n,r),r+=n.length;return t}function m(e){let t="";for(let r of e)t+=String.fromCharCode(r);return btoa(t).replace(/\\+/g,"-").replace(/\\//g,"_").replace(/=/g,"")}function b({text:e,files:t}){if(/[\\0\\p{Surrogate}]/u.test(e)||e===""&&t.length===0)return;let r=t.map(({key:n,name:o,size:s,type:l})=>[m(n),o,s,l]);return f(t.length===0?e:\`\${e}\\0\${JSON.stringify(r)}\`)}async function S(e,t,r,n){let{subtle:o}=crypto,s=await o.importKey("raw",t,e,!1,["deriveBits"]);return new Uint8Array(await o.deriveBits({name:e,hash:"SHA-256",...n},s,r*8))}function B(e,t,r,n=new Uint8Array){return S("HKDF",e,r,{salt:n,info:t})}var A=16,j=21,I=65536,k=I-A-1,[G,D]=[1,2];async function K(e,t){let{subtle:r}=crypto,n=await B(e,f("Content-Encoding: aes128gcm\\0"),16,t),o=await B(e,f("Content-Encoding: nonce\\0"),12,t),s=await r.importKey("raw",n,"AES-GCM",!1,["encrypt","decrypt"]),l=u=>{let a=o.slice(),i=new DataView(a.buffer);return i.setUint32(8,i.getUint32(8)^u),{name:"AES-GCM",iv:a}};return{seal:async(u,a)=>new Uint8Array(await r.encrypt(l(u),s,a)),open:(u,a)=>r.decrypt(l(u),s,a).then(i=>new Uint8Array(i),()=>{})}}function N(e,t,r){let n=new Uint8Array(5);return new DataView(n.buffer).setUint32(0,t),n[4]=r.length,x(e,n,r)}function J(e){let t=Math.max(256,e),r=31-Math.clz32(t),n=2**(r-32+Math.clz32(r));return Math.ceil(t/n)*n}async function $(e,t,{keyId:r=new Uint8Array,salt:n=w(16)}={}){let o=new Uint8Array(J(t.length+1));o.set(t),o[t.length]=D;let{seal:s}=await K(e,n);return x(N(n,o.length+A,r),await s(0,o))}function U(e){return j+e+(A+1)*Math.max(1,Math.ceil(e/k))}function E(e,t,r=w(16)){let n,o=0;return new ReadableStream({async pull(s){n===void 0&&(n=await K(e,r),s.enqueue(N(r,I,new Uint8Array)));let l=o*k,u=new Uint8Array(await t.slice(l,l+k).arrayBuffer()),a=l+k>=t.size,i=Uint8Array.of(a?D:G);s.enqueue(await n.seal(o++,x(u,i))),a&&s.close()}})}var Q=6e5;function M(){return w(16)}function O(e){return m(e)}async function q(e){return m(await B(e,f("sotto/sealed/1/proof"),32))}async function v(e,t=""){if(t==="")return{secret:e,password:void 0};let r=await B(e,f("sotto/sealed/1/password"),32),n=await S("PBKDF2",f(t.normalize("NFC")),64,{salt:r,iterations:Q}),o=new Uint8Array([...e,...n.slice(0,32)]);return{secret:await B(o,f("sotto/sealed/1/key"),16),password:m(n.slice(32))}}async function C(e,t,r){let n=b(r);if(n===void 0)return;let o=await crypto.subtle.digest("SHA-256",f(\`sotto/v1/sealed\${await q(e)}\`)),s=await $(t.secret,n);return\`sotto-sealed-1.\${m(new Uint8Array(o))}.\${m(s)}\`}function P(e){return e.map(({name:t,size:r,type:n})=>({key:w(16),name:t,size:r,type:n}))}async function T({key:e},t,r){let n=await new Response(E(e,t)).blob();return new File([n],\`\${r}.sealed\`,{type:"application/octet-stream"})}function L(e){for(let t of document.querySelectorAll("[data-when]"))t.hidden=!t.dataset.when?.split(" ").includes(e)}async function W(e,{max:t,empty:r,broken:n,long:o}){let[s,l,...u]=e,a=P(u),i={text:s,files:a},h=b(i);if(!h)return s?n:r;if(h.length>Number(t))return o;let c=M(),F=await v(c,l),H=await C(c,F,i),d=[];for(let[g,p]of a.entries())d.push(await T(p,u[g]??new Blob,g+1));return{typed:e,key:O(c),note:H??"",password:F.password,files:d}}function X(e,t){let{seal:r,note:n,password:o,files:s}=t.elements,l=t.querySelector("[aria-describedby=draft-hint]"),u=document.getElementById("draft-hint"),a=()=>{L(r.checked?"sealed":"plain")};e.hidden=!1,r.checked||=e.dataset.seal==="ticked",r.addEventListener("input",a),addEventListener("pageshow",a),a(),t.addEventListener("submit",d=>{!r.checked||d.submitter!==l||(d.preventDefault(),d.stopImmediatePropagation(),L("refused"),u?.scrollIntoView({block:"center"}))});let i=document.getElementById("note-fault"),h=(d="")=>{i&&(i.textContent=d,i.hidden=!d,n.removeAttribute("aria-invalid"),d&&(n.setAttribute("aria-invalid","true"),n.setAttribute("aria-describedby",i.id),n.focus()))};n.addEventListener("input",()=>{i?.hidden===!1&&h()});let c;Object.assign(t,{sealed:async d=>{let g=[n.value,o.value,...s?.files??[]],p=new FormData(t,d);if(c?.typed.length!==g.length||g.some((y,_)=>y!==c?.typed[_])){let y=await W(g,e.dataset);if(typeof y!="object"){h(y);return}c=y}for(let y of["seal","show-files","files"])p.delete(y);p.set("note",c.note),c.password&&p.set("password",c.password);for(let y of c.files)p.append("files",y);return{body:c.files.length>0?p:new URLSearchParams(p),fragment:\`#\${c.key}\`}},sentBytes:d=>r.checked?U(d):d})}var R=document.querySelector("[data-seal]"),V=R?.closest("form");R&&V&&isSecureContext&&X(R,V);})();
`

/** The script that browser/request.ts becomes. */
export const sealedRequestScript = `
"use strict";(()=>{function l(e){return crypto.getRandomValues(new Uint8Array(e))}function u(e){return new TextEncoder().encode(e)}function p(...e){let t=new Uint8Array(e.reduce((r,{length:o})=>r+o,0)),n=0;for(let r of e)t.set(r,n),n+=r.length;return t}function f(e){let t="";for(let n of e)t+=String.fromCharCode(n);return btoa(t).replace(/\\+/g,"-").replace(/\\//g,"_").replace(/=/g,"")}function k(e){return Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0))}function m(e){try{let t=k(e);return f(t)===e?t:void 0}catch{return}}function w({text:e,files:t}){if(/[\\0\\p{Surrogate}]/u.test(e)||e===""&&t.length===0)return;let n=t.map(({key:r,name:o,size:s,type:i})=>[f(r),o,s,i]);return u(t.length===0?e:\`\${e}\\0\${JSON.stringify(n)}\`)}async function G(e,t,n,r){let{subtle:o}=crypto,s=await o.importKey("raw",t,e,!1,["deriveBits"]);return new Uint8Array(await o.deriveBits({name:e,hash:"SHA-256",...r},s,n*8))}function B(e,t,n,r=new Uint8Array){return G("HKDF",e,n,{salt:r,info:t})}var S=16,J=21,D=65536,g=D-S-1,[W,L]=[1,2];async function T(e,t){let{subtle:n}=crypto,r=await B(e,u("Content-Encoding: aes128gcm\\0"),16,t),o=await B(e,u("Content-Encoding: nonce\\0"),12,t),s=await n.importKey("raw",r,"AES-GCM",!1,["encrypt","decrypt"]),i=c=>{let a=o.slice(),d=new DataView(a.buffer);return d.setUint32(8,d.getUint32(8)^c),{name:"AES-GCM",iv:a}};return{seal:async(c,a)=>new Uint8Array(await n.encrypt(i(c),s,a)),open:(c,a)=>n.decrypt(i(c),s,a).then(d=>new Uint8Array(d),()=>{})}}function H(e,t,n){let r=new Uint8Array(5);return new DataView(r.buffer).setUint32(0,t),r[4]=n.length,p(e,r,n)}function Q(e){let t=Math.max(256,e),n=31-Math.clz32(t),r=2**(n-32+Math.clz32(n));return Math.ceil(t/r)*r}async function N(e,t,{keyId:n=new Uint8Array,salt:r=l(16)}={}){let o=new Uint8Array(Q(t.length+1));o.set(t),o[t.length]=L;let{seal:s}=await T(e,r);return p(H(r,o.length+S,n),await s(0,o))}function K(e){return J+e+(S+1)*Math.max(1,Math.ceil(e/g))}function P(e,t,n=l(16)){let r,o=0;return new ReadableStream({async pull(s){r===void 0&&(r=await T(e,n),s.enqueue(H(n,D,new Uint8Array)));let i=o*g,c=new Uint8Array(await t.slice(i,i+g).arrayBuffer()),a=i+g>=t.size,d=Uint8Array.of(a?L:W);s.enqueue(await r.seal(o++,p(c,d))),a&&s.close()}})}var X=/^([\\w-]{21}[AQgw])(?:[.,)>\\u2026"'/\\]]|%(?:2[279CEFcef]|3[Ee]|5[Dd]|[Ee]2%80%[Aa]6))*$/;function A(e){let t=X.exec(e)?.[1];return t===void 0?void 0:k(t)}function F(e){return f(e)}function v(e){return e.map(({name:t,size:n,type:r})=>({key:l(16),name:t,size:n,type:r}))}async function C({key:e},t,n){let r=await new Response(P(e,t)).blob();return new File([r],\`\${n}.sealed\`,{type:"application/octet-stream"})}var I={name:"ECDH",namedCurve:"P-256"},[Ke,Pe,Y]=[65,32,16];async function U({key:e,auth:t},n){let[r,o,s]=[m(e),m(t),w(n)];if(r===void 0||o?.length!==Y||s===void 0)return;let i=await Z(r,o);if(i!==void 0)return\`sotto-answer-1.\${f(await N(i.secret,s,{keyId:i.point}))}\`}async function Z(e,t){let n=await crypto.subtle.generateKey(I,!0,["deriveBits"]),r=new Uint8Array(await crypto.subtle.exportKey("raw",n.publicKey)),o=await ee(n.privateKey,e);return o&&{point:r,secret:await te(o,t,e,r)}}async function ee(e,t){let{subtle:n}=crypto,r=await n.importKey("raw",t,I,!1,[]).catch(()=>{});if(r!==void 0)return new Uint8Array(await n.deriveBits({name:"ECDH",public:r},e,256))}function te(e,t,n,r){return B(e,p(u("WebPush: info\\0"),n,r),32,t)}function $(e){for(let t of document.querySelectorAll("[data-when]"))t.hidden=!t.dataset.when?.split(" ").includes(e)}var x=document.querySelector("form[data-key]"),ne=[...document.links].filter(({pathname:e,hash:t})=>e===location.pathname&&!t),b,V=()=>{b=A(location.hash.slice(1));for(let e of ne)e.hash=location.hash;$(b?isSecureContext?"ready":"insecure":"incomplete")};addEventListener("hashchange",V);V();var re=async(e,t)=>{let n=new FormData(e),r=n.getAll("files").filter(y=>y instanceof File&&y.name!==""),{key:o="",empty:s="",broken:i="",long:c="",many:a="",large:d="",max:j,fileMax:z}=e.dataset,O=v(r),E=e.querySelector("textarea")?.value??"",q={text:E,files:O},M=w(q);if(!M)return E?i:s;if(M.length>Number(j))return c;if(r.length>10)return a;if(r.some(({size:y})=>K(y)>Number(z)))return d;n.delete("files"),n.set("note",await U({key:o,auth:F(t)},q)??"");for(let[y,_]of O.entries())n.append("files",await C(_,r[y]??new Blob,y+1));return r.length>0?n:new URLSearchParams(n)},h=document.createElement("p");h.className="alert";h.role="alert";var R=(e,t)=>{for(let n of document.querySelectorAll("main .alert:not([data-when])"))n.remove();h.textContent=t,e.before(h),h.scrollIntoView({block:"center"}),dispatchEvent(new Event("pageshow"))},oe=async(e,t)=>{let n=await re(e,t);if(typeof n=="string"){R(e,n);return}let r=await fetch(location.pathname+location.search,{method:"POST",headers:{accept:"text/html"},body:n}),o=new DOMParser().parseFromString(await r.text(),"text/html"),s=o.querySelector("main");if(r.status===201&&s){history.replaceState(null,"",location.pathname+location.search),document.title=o.title,document.querySelector("main")?.replaceWith(s),scrollTo(0,0);return}let i=o.querySelector("[role=alert]:not([data-when])")??s,c=[...i===s?s?.querySelectorAll("h1, .lead")??[]:[i]];R(e,c.map(a=>a?.textContent).join(". ")||(e.dataset.lost??""))};x?.addEventListener("submit",e=>{e.defaultPrevented||!b||(e.preventDefault(),oe(x,b).catch(()=>R(x,x.dataset.lost??"")))});})();
`

/** The script that browser/request-form.ts becomes. */
export const requestFormScript = `
"use strict";(()=>{function K(e){return crypto.getRandomValues(new Uint8Array(e))}function h(e){return new TextEncoder().encode(e)}function l(...e){let t=new Uint8Array(e.reduce((r,{length:o})=>r+o,0)),n=0;for(let r of e)t.set(r,n),n+=r.length;return t}function s(e){let t="";for(let n of e)t+=String.fromCharCode(n);return btoa(t).replace(/\\+/g,"-").replace(/\\//g,"_").replace(/=/g,"")}function P(e){return Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0))}function y(e){try{let t=P(e);return s(t)===e?t:void 0}catch{return}}async function A(e,t,n,r){let{subtle:o}=crypto,i=await o.importKey("raw",t,e,!1,["deriveBits"]);return new Uint8Array(await o.deriveBits({name:e,hash:"SHA-256",...r},i,n*8))}function x(e,t,n,r=new Uint8Array){return A("HKDF",e,n,{salt:r,info:t})}var u={name:"ECDH",namedCurve:"P-256"},[C,c,f]=[65,32,16];async function p(){let e=await crypto.subtle.generateKey(u,!0,["deriveBits"]),{d:t=""}=await crypto.subtle.exportKey("jwk",e.privateKey),n=K(f);return{key:s(new Uint8Array(await crypto.subtle.exportKey("raw",e.publicKey))),auth:s(n),ownerKey:s(l(y(t)??new Uint8Array,n))}}function b(e){let t=y(e);return t?.length===c+f?s(t.slice(c)):void 0}async function w(e){let[t,n]=[y(e.key),y(b(e.ownerKey)??"")],r=t&&n&&await R(t,n);if(r===void 0)return!1;let o=await q(e,r.point);return o!==void 0&&s(o)===s(r.secret)}async function q({key:e,ownerKey:t},n){let[r,o]=[y(e),y(t)];if(r?.length!==C||o?.length!==c+f)return;let i=await S(o.slice(0,c),r),d=i&&await g(i,n);return d&&k(d,o.slice(c),r,n)}async function R(e,t){let n=await crypto.subtle.generateKey(u,!0,["deriveBits"]),r=new Uint8Array(await crypto.subtle.exportKey("raw",n.publicKey)),o=await g(n.privateKey,e);return o&&{point:r,secret:await k(o,t,e,r)}}function S(e,t){let[n,r]=[s(t.slice(1,33)),s(t.slice(33))],o={kty:"EC",crv:u.namedCurve,d:s(e),x:n,y:r};return crypto.subtle.importKey("jwk",o,u,!1,["deriveBits"]).catch(()=>{})}async function g(e,t){let{subtle:n}=crypto,r=await n.importKey("raw",t,u,!1,[]).catch(()=>{});if(r!==void 0)return new Uint8Array(await n.deriveBits({name:"ECDH",public:r},e,256))}function k(e,t,n,r){return x(e,l(h("WebPush: info\\0"),n,r),32,t)}function U(e,t){let{seal:n,key:r}=t.elements,o="",i=location.hash.slice(1);w({key:r.value,ownerKey:i}).then(a=>{a&&(o=i)}),e.hidden=!1,n.checked||=e.dataset.seal==="ticked";let d=async a=>{let B=await p();r.value=B.key,o=B.ownerKey,setTimeout(()=>t.requestSubmit(a??void 0))};t.addEventListener("submit",a=>{t.action="/requests/new",n.checked?o?t.action+=\`#\${o}\`:(a.preventDefault(),a.stopImmediatePropagation(),d(a.submitter)):r.value=o=""})}var m=document.querySelector("[data-seal]"),v=m?.closest("form");m&&v&&isSecureContext&&U(m,v);})();
`

/** The script that browser/answers.ts becomes. */
export const sealedAnswersScript = `
"use strict";(()=>{function p(e){return new TextEncoder().encode(e)}function E(e){try{return new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(e)}catch{return}}function b(...e){let n=new Uint8Array(e.reduce((r,{length:o})=>r+o,0)),t=0;for(let r of e)n.set(r,t),t+=r.length;return n}function l(e){let n="";for(let t of e)n+=String.fromCharCode(t);return btoa(n).replace(/\\+/g,"-").replace(/\\//g,"_").replace(/=/g,"")}function J(e){return Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),n=>n.charCodeAt(0))}function y(e){try{let n=J(e);return l(n)===e?n:void 0}catch{return}}function F(e){let n=E(e);if(n===void 0)return;let t=n.indexOf("\\0");if(t===-1)return{text:n,files:[]};let r=Z(n.slice(t+1));return r&&{text:n.slice(0,t),files:r}}function Z(e){try{let n=JSON.parse(e).map(Q);return n.every(t=>t!==void 0)?n:void 0}catch{return}}function Q([e,n,t,r]){let o=typeof e=="string"?y(e):void 0;if(!(o?.length!==16||typeof n!="string"||typeof r!="string"))return Number.isSafeInteger(t)&&t>=0?{key:o,name:n,size:t,type:r}:void 0}async function X(e,n,t,r){let{subtle:o}=crypto,s=await o.importKey("raw",n,e,!1,["deriveBits"]);return new Uint8Array(await o.deriveBits({name:e,hash:"SHA-256",...r},s,t*8))}function w(e,n,t,r=new Uint8Array){return X("HKDF",e,t,{salt:r,info:n})}var O=16,m=21,B=65536,be=B-O-1,[ee,T]=[1,2];async function M(e,n){let{subtle:t}=crypto,r=await w(e,p("Content-Encoding: aes128gcm\\0"),16,n),o=await w(e,p("Content-Encoding: nonce\\0"),12,n),s=await t.importKey("raw",r,"AES-GCM",!1,["encrypt","decrypt"]),i=a=>{let c=o.slice(),d=new DataView(c.buffer);return d.setUint32(8,d.getUint32(8)^a),{name:"AES-GCM",iv:c}};return{seal:async(a,c)=>new Uint8Array(await t.encrypt(i(a),s,c)),open:(a,c)=>t.decrypt(i(a),s,c).then(d=>new Uint8Array(d),()=>{})}}function A(e){let n=m+(e[20]??0);if(e.length<n)return;let t=new DataView(e.buffer,e.byteOffset).getUint32(16);return{salt:e.slice(0,16),recordBytes:t,keyId:e.slice(m,n)}}function R(e,n){if(e===void 0)return;let t=e.findLastIndex(r=>r!==0);return e[t]===n?e.subarray(0,t):void 0}function te(e){let n=Math.max(256,e),t=31-Math.clz32(n),r=2**(t-32+Math.clz32(t));return Math.ceil(n/r)*r}async function L(e,n){let t=A(e),r=await ne(e,n);if(t===void 0||r===void 0)return;let o=te(r.length+1)+O;return t.recordBytes===o&&e.length===m+t.keyId.length+o?r:void 0}async function ne(e,n){let t=A(e),r=t&&await n(t.keyId);if(t===void 0||r===void 0)return;let{open:o}=await M(r,t.salt);return R(await o(0,e.subarray(m+t.keyId.length)),T)}var f=class extends Error{name="Undecryptable"};function K(e,n){let t=new Uint8Array,r,[o,s]=[0,n],i=async(a,c,d)=>{let u=R(await r?.open(o++,a),c);if(u===void 0||(s-=u.length)<0)throw new f;d.enqueue(u)};return new TransformStream({async transform(a,c){if(t=b(t,a),r===void 0){if(t.length<m)return;let u=A(t);if(u?.recordBytes!==B||u.keyId.length>0)throw new f;r=await M(e,u.salt),t=t.slice(m)}let d=0;for(;t.length-d>B;d+=B)await i(t.subarray(d,d+B),ee,c);t=t.slice(d)},async flush(a){if(await i(t,T,a),s>0)throw new f}})}var re=/^sotto-answer-1\\.([\\w-]{478,})$/,x={name:"ECDH",namedCurve:"P-256"},[oe,h,H]=[65,32,16];function S(e){let n=y(e);return n?.length===h+H?l(n.slice(h)):void 0}async function v(e){let[n,t]=[y(e.key),y(S(e.ownerKey)??"")],r=n&&t&&await se(n,t);if(r===void 0)return!1;let o=await D(e,r.point);return o!==void 0&&l(o)===l(r.secret)}async function C({key:e,ownerKey:n},t){let r=y(re.exec(t)?.[1]??""),o=r&&await L(r,s=>D({key:e,ownerKey:n},s));return o&&F(o)}async function D({key:e,ownerKey:n},t){let[r,o]=[y(e),y(n)];if(r?.length!==oe||o?.length!==h+H)return;let s=await ie(o.slice(0,h),r),i=s&&await I(s,t);return i&&N(i,o.slice(h),r,t)}async function se(e,n){let t=await crypto.subtle.generateKey(x,!0,["deriveBits"]),r=new Uint8Array(await crypto.subtle.exportKey("raw",t.publicKey)),o=await I(t.privateKey,e);return o&&{point:r,secret:await N(o,n,e,r)}}function ie(e,n){let[t,r]=[l(n.slice(1,33)),l(n.slice(33))],o={kty:"EC",crv:x.namedCurve,d:l(e),x:t,y:r};return crypto.subtle.importKey("jwk",o,x,!1,["deriveBits"]).catch(()=>{})}async function I(e,n){let{subtle:t}=crypto,r=await t.importKey("raw",n,x,!1,[]).catch(()=>{});if(r!==void 0)return new Uint8Array(await t.deriveBits({name:"ECDH",public:r},e,256))}function N(e,n,t,r){return w(e,b(p("WebPush: info\\0"),t,r),32,n)}function z(e,n){let t=["byte","kilobyte","megabyte","gigabyte"],r=e,o=0;for(;r>=1024&&o<3;)r/=1024,o+=1;let s=r<100?Math.floor(r*10)/10:Math.floor(r),i=o===0?"long":"short";return new Intl.NumberFormat(n,{style:"unit",unit:t[o]??"gigabyte",unitDisplay:i,maximumFractionDigits:1}).format(s)}function _(e,n){let t=n.querySelector("a"),[r,o]=[n.querySelector("bdi"),n.querySelector("small")];!t||!r||!o||(t.download=r.textContent=ae(e.name),o.textContent=z(e.size,document.documentElement.lang),t.onclick=s=>{s.preventDefault(),ce(e,t)})}var ae=e=>e.replace(/[\\\\/\\p{Cc}\\p{Zl}\\p{Zp}\\p{Surrogate}\\p{Bidi_Control}]/gu,"\\uFFFD"),g=document.querySelector("[data-saving]"),P=!1,ce=async({key:e,size:n},t)=>{if(P||!g)return;P=!0;let{saving:r="",undecryptable:o="",failed:s=""}=g.dataset;g.textContent=r;try{let{ok:i,body:a}=await fetch(t.href);if(!i||!a)throw new Error;let c=[],d=new WritableStream({write:u=>{c.push(u)}});await a.pipeThrough(K(e,n)).pipeTo(d),q(new Blob(c,{type:"application/octet-stream"}),t.download),g.textContent=""}catch(i){g.textContent=i instanceof f?o:s}P=!1};function q(e,n){let t=document.createElement("a");t.download=n,t.href=URL.createObjectURL(e),t.click(),setTimeout(URL.revokeObjectURL,6e4,t.href)}function k(e){for(let n of document.querySelectorAll("[data-when]"))n.hidden=!n.dataset.when?.split(" ").includes(e)}var U=e=>\`sotto.request.\${e}\`,j=e=>{try{return localStorage.getItem(U(e))??void 0}catch{return}},de=(e,n)=>{try{localStorage.setItem(U(e),n)}catch{}},ue=(e,{text:n,files:t})=>{let r=e.querySelector("#note, [data-note]");r&&(r.textContent=n);for(let i of e.querySelectorAll("[data-text]"))i.hidden=n==="";for(let i of e.querySelectorAll("[data-listed]"))i.hidden=!1;let o=e.querySelector('[data-text] a[href$="/text"]');o&&(o.onclick=i=>{i.preventDefault(),q(new Blob([n]),o.dataset.file??"")});let s=e.querySelectorAll(".files li");for(let[i,a]of t.entries())s[i]&&_(a,s[i])},le=async(e,n)=>{let{key:t="",sealed:r="",files:o}=e.dataset,s=await C({key:t,ownerKey:n},r),i=s!==void 0&&(o===void 0||s.files.length===Number(o));if(i)ue(e,s);else for(let a of e.querySelectorAll("[data-undecrypted]"))a.hidden=!1;return i},V=[...document.querySelectorAll("[data-sealed]")],W=(e,n)=>{for(let t of V)t.dataset.request===e&&le(t,n)},G=(e,n,t)=>{de(e,n);for(let o of document.querySelectorAll("[data-url]"))o.append(\`#\${S(n)??""}\`);let r=document.getElementById("owner-key");r&&t==="new"&&(r.textContent=n),k(t),W(e,n)},ye=async(e,n)=>{let{hash:t,pathname:r,search:o}=location,s=t.slice(1);s&&history.replaceState(null,"",r+o);let i=await v({key:n,ownerKey:s}),a=i?s:j(e);a===void 0?k("keyless"):G(e,a,i?"new":"keyed")},fe=e=>{let{panel:n="",key:t=""}=e.dataset;ye(n,t),e.querySelector("[data-forget]")?.addEventListener("click",()=>{localStorage.removeItem(U(n)),location.reload()});let r=e.querySelector("form");r?.addEventListener("submit",o=>{o.preventDefault(),o.stopImmediatePropagation();let s=r.querySelector("input"),i=r.querySelector("[role=alert]"),a=s?.value.trim()??"";v({key:t,ownerKey:a}).then(c=>{s?.setAttribute("aria-invalid",String(!c)),i&&(i.textContent=c?"":r.dataset.wrong??""),c?G(n,a,"keyed"):s?.focus()})})},$=document.querySelector("[data-panel]");if(!isSecureContext)k("insecure");else if($)fe($);else for(let{dataset:e}of V){let{request:n=""}=e,t=j(n);t&&W(n,t)}})();
`

/** The script that browser/../src/size-text.ts becomes. */
export const sizeTextFunction = `
function sizeText(bytes, locale) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"]
  let size = bytes
  let at = 0
  while (size >= 1024 && at < 3) {
    size /= 1024
    at += 1
  }
  const rounded = size < 100 ? Math.floor(size * 10) / 10 : Math.floor(size)
  const unitDisplay = at === 0 ? "long" : "short"
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: units[at] ?? "gigabyte",
    unitDisplay,
    maximumFractionDigits: 1
  }).format(rounded)
}
`

/** The script that browser/../../core/src/secrets/suggested-password.ts becomes. */
export const suggestedPasswordFunction = `
var suggestedPasswordRandomBytes = 9
function suggestedPassword(bytes) {
  const syllables = Array.from(
    bytes,
    (byte) => "bdfghjklmnprstvz".charAt(byte & 15) + "aiou".charAt(byte >> 4 & 3)
  )
  return syllables.map((syllable, at) => (at > 0 && at % 3 === 0 ? "-" : "") + syllable).join("")
}
`
