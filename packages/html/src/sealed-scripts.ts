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

var showFile = (file, row) => {
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
    const saved = document.createElement("a")
    saved.download = link.download
    saved.href = URL.createObjectURL(new Blob(pieces, { type: "application/octet-stream" }))
    saved.click()
    setTimeout(URL.revokeObjectURL, 6e4, saved.href)
    status.textContent = ""
  } catch (error) {
    status.textContent = error instanceof Undecryptable ? undecryptable : failed
  }
  isSaving = false
}
var rows = [...document.querySelectorAll(".files li")]
void readNote(rows.length).then((files) => {
  for (const [at, file] of files?.entries() ?? []) {
    const row = rows[at]
    if (row) showFile(file, row)
  }
});
`

/** The script that browser/seal-form.ts becomes. */
export const sealFormScript = `
"use strict";(()=>{function h(e){return crypto.getRandomValues(new Uint8Array(e))}function l(e){return new TextEncoder().encode(e)}function x(...e){let t=new Uint8Array(e.reduce((n,{length:o})=>n+o,0)),r=0;for(let n of e)t.set(n,r),r+=n.length;return t}function m(e){let t="";for(let r of e)t+=String.fromCharCode(r);return btoa(t).replace(/\\+/g,"-").replace(/\\//g,"_").replace(/=/g,"")}function b({text:e,files:t}){if(/[\\0\\p{Surrogate}]/u.test(e)||e===""&&t.length===0)return;let r=t.map(({key:n,name:o,size:s,type:u})=>[m(n),o,s,u]);return l(t.length===0?e:\`\${e}\\0\${JSON.stringify(r)}\`)}async function U(e,t,r,n){let{subtle:o}=crypto,s=await o.importKey("raw",t,e,!1,["deriveBits"]);return new Uint8Array(await o.deriveBits({name:e,hash:"SHA-256",...n},s,r*8))}function B(e,t,r,n=new Uint8Array){return U("HKDF",e,r,{salt:n,info:t})}var E=16,z=21,I=65536,k=I-E-1,[j,D]=[1,2];async function K(e,t){let{subtle:r}=crypto,n=await B(e,l("Content-Encoding: aes128gcm\\0"),16,t),o=await B(e,l("Content-Encoding: nonce\\0"),12,t),s=await r.importKey("raw",n,"AES-GCM",!1,["encrypt","decrypt"]),u=f=>{let a=o.slice(),i=new DataView(a.buffer);return i.setUint32(8,i.getUint32(8)^f),{name:"AES-GCM",iv:a}};return{seal:async(f,a)=>new Uint8Array(await r.encrypt(u(f),s,a)),open:(f,a)=>r.decrypt(u(f),s,a).then(i=>new Uint8Array(i),()=>{})}}function N(e,t,r){let n=new Uint8Array(5);return new DataView(n.buffer).setUint32(0,t),n[4]=r.length,x(e,n,r)}function G(e){let t=Math.max(256,e),r=31-Math.clz32(t),n=2**(r-32+Math.clz32(r));return Math.ceil(t/n)*n}async function $(e,t,{keyId:r=new Uint8Array,salt:n=h(16)}={}){let o=new Uint8Array(G(t.length+1));o.set(t),o[t.length]=D;let{seal:s}=await K(e,n);return x(N(n,o.length+E,r),await s(0,o))}function M(e){return z+e+(E+1)*Math.max(1,Math.ceil(e/k))}function v(e,t,r=h(16)){let n,o=0;return new ReadableStream({async pull(s){n===void 0&&(n=await K(e,r),s.enqueue(N(r,I,new Uint8Array)));let u=o*k,f=new Uint8Array(await t.slice(u,u+k).arrayBuffer()),a=u+k>=t.size,i=Uint8Array.of(a?D:j);s.enqueue(await n.seal(o++,x(f,i))),a&&s.close()}})}var J=6e5;function A(){return h(16)}function C(e){return m(e)}async function q(e){return m(await B(e,l("sotto/sealed/1/proof"),32))}async function T(e,t=""){if(t==="")return{secret:e,password:void 0};let r=await B(e,l("sotto/sealed/1/password"),32),n=await U("PBKDF2",l(t.normalize("NFC")),64,{salt:r,iterations:J}),o=new Uint8Array([...e,...n.slice(0,32)]);return{secret:await B(o,l("sotto/sealed/1/key"),16),password:m(n.slice(32))}}async function L(e,t,r){let n=b(r);if(n===void 0)return;let o=await crypto.subtle.digest("SHA-256",l(\`sotto/v1/sealed\${await q(e)}\`)),s=await $(t.secret,n);return\`sotto-sealed-1.\${m(new Uint8Array(o))}.\${m(s)}\`}function P(e){for(let t of document.querySelectorAll("[data-when]"))t.hidden=!t.dataset.when?.split(" ").includes(e)}async function Q(e,{max:t,empty:r,broken:n,long:o}){let[s,u,...f]=e,a=f.map(({name:w,size:y,type:H})=>({key:A(),name:w,size:y,type:H})),i={text:s,files:a},g=b(i);if(!g)return s?n:r;if(g.length>Number(t))return o;let c=A(),S=await T(c,u),R=await L(c,S,i),d=[];for(let[w,y]of f.entries())d.push(await new Response(v(a[w]?.key??c,y)).blob());return{typed:e,key:C(c),note:R??"",password:S.password,files:d}}function W(e,t){let{seal:r,note:n,password:o,files:s}=t.elements,u=t.querySelector("[aria-describedby=draft-hint]"),f=document.getElementById("draft-hint"),a=()=>{P(r.checked?"sealed":"plain")};e.hidden=!1,r.checked||=e.dataset.seal==="ticked",r.addEventListener("input",a),addEventListener("pageshow",a),a(),t.addEventListener("submit",d=>{!r.checked||d.submitter!==u||(d.preventDefault(),d.stopImmediatePropagation(),P("refused"),f?.scrollIntoView({block:"center"}))});let i=document.getElementById("note-fault"),g=(d="")=>{i&&(i.textContent=d,i.hidden=!d,n.removeAttribute("aria-invalid"),d&&(n.setAttribute("aria-invalid","true"),n.setAttribute("aria-describedby",i.id),n.focus()))};n.addEventListener("input",()=>{i?.hidden===!1&&g()});let c;Object.assign(t,{sealed:async d=>{let w=[n.value,o.value,...s?.files??[]],y=new FormData(t,d);if(c?.typed.length!==w.length||w.some((p,F)=>p!==c?.typed[F])){let p=await Q(w,e.dataset);if(typeof p!="object"){g(p);return}c=p}for(let p of["seal","show-files","files"])y.delete(p);y.set("note",c.note),c.password&&y.set("password",c.password);for(let[p,F]of c.files.entries())y.append("files",F,\`\${p+1}.sealed\`);return{body:c.files.length>0?y:new URLSearchParams(y),fragment:\`#\${c.key}\`}},sentBytes:d=>r.checked?M(d):d})}var O=document.querySelector("[data-seal]"),V=O?.closest("form");O&&V&&isSecureContext&&W(O,V);})();
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
