//! Functions of ours that the prelude is built on. Each takes and gives strings, numbers and bytes.

use super::super::pipes;
use super::super::work::{Stream, Work};
use crate::request::Request;
use crate::wire::{How, Said};
use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER};
use rquickjs::function::Func;
use rquickjs::{Ctx, Exception, Object, Result, TypedArray};
use std::rc::Rc;
use url::Url;

pub(super) fn natives<'js>(ctx: &Ctx<'js>, work: &Rc<Work>) -> Result<Object<'js>> {
    let native = Object::new(ctx.clone())?;
    of_the_run(&native, work)?;
    asking(&native, work)?;
    bytes(&native)?;
    urls(&native)?;
    Ok(native)
}

fn of_the_run(native: &Object<'_>, work: &Rc<Work>) -> Result<()> {
    let here = Rc::clone(work);
    let print = move |ctx: Ctx<'_>, errors: bool, text: String| {
        here.print(if errors { Stream::Errors } else { Stream::Out }, &text);
        goes_on(&ctx, &here)
    };
    native.set("print", Func::from(print))?;
    let here = Rc::clone(work);
    let stop = move |how: How, ctx: &Ctx<'_>| {
        here.stop(how);
        goes_on(ctx, &here)
    };
    let exits = stop.clone();
    native.set("exit", Func::from(move |ctx: Ctx<'_>, code: i32| exits(How::Exited(code), &ctx)))?;
    native.set("fail", Func::from(move |ctx: Ctx<'_>, error: String| stop(super::threw(error), &ctx)))?;
    let here = Rc::clone(work);
    native.set("elapsed", Func::from(move || here.elapsed().as_secs_f64() * 1e3))?;
    let here = Rc::clone(work);
    native.set(
        "place",
        Func::from(move |line: u32, column: u32| {
            let (line, column) = here.place(line, column);
            vec![line, column]
        }),
    )
}

/// An error that a script may catch, but then it does nothing that is seen, and is stopped soon.
fn goes_on(ctx: &Ctx<'_>, work: &Work) -> Result<()> {
    if work.is_over() { Err(Exception::throw_internal(ctx, "the script is being ended")) } else { Ok(()) }
}

fn asking(native: &Object<'_>, work: &Rc<Work>) -> Result<()> {
    let here = Rc::clone(work);
    let ask = move |ctx: &Ctx<'_>, id: u64, request: Request| {
        goes_on(ctx, &here)?;
        here.open.set(here.open.get() + 1);
        pipes::send(&Said::Asks { id, request });
        Result::Ok(())
    };
    let asks = ask.clone();
    let fetch =
        move |ctx: Ctx<'_>, id: u64, url: String, method: String, headers: Vec<String>, body: Option<String>| {
            let mut headers = headers.into_iter();
            let pairs = std::iter::from_fn(|| headers.next().zip(headers.next())).collect();
            asks(&ctx, id, Request::Fetch { url, method, headers: pairs, body })
        };
    native.set("fetch", Func::from(fetch))?;
    let asks = ask.clone();
    native
        .set("read", Func::from(move |ctx: Ctx<'_>, id: u64, path: String| asks(&ctx, id, Request::Read { path })))?;
    let call =
        move |ctx: Ctx<'_>, id: u64, tool: String, arguments: String| ask(&ctx, id, Request::Call { tool, arguments });
    native.set("call", Func::from(call))
}

fn bytes(native: &Object<'_>) -> Result<()> {
    native.set("encode", Func::from(|ctx, text: String| TypedArray::new(ctx, text.into_bytes())))?;
    let decode = |ctx: Ctx<'_>, bytes: TypedArray<'_, u8>, strict: bool| {
        let bytes = &copied(&bytes);
        match str::from_utf8(bytes) {
            Err(_) if strict => Err(Exception::throw_type(&ctx, "The encoded data was not valid for encoding utf-8")),
            Err(_) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            Ok(text) => Ok(text.to_owned()),
        }
    };
    native.set("decode", Func::from(decode))?;
    let written = |bytes: TypedArray<'_, u8>, form: String| {
        let bytes = &copied(&bytes);
        match &*form {
            "hex" => HEXLOWER.encode(bytes),
            "base64url" => BASE64URL_NOPAD.encode(bytes),
            _ => BASE64.encode(bytes),
        }
    };
    native.set("written", Func::from(written))?;
    // Base64 in either alphabet, with padding or without.
    let read = |ctx, text: String| {
        let plain: String =
            text.chars().filter(|character| !character.is_ascii_whitespace() && *character != '=').collect();
        let plain = plain.replace('-', "+").replace('_', "/");
        BASE64_NOPAD.decode(plain.as_bytes()).ok().map(|bytes| TypedArray::new(ctx, bytes)).transpose()
    };
    native.set("unbase64", Func::from(read))?;
    native.set("random", Func::from(random))
}

fn random<'js>(ctx: Ctx<'js>, length: usize) -> Result<TypedArray<'js, u8>> {
    let mut bytes = vec![0; length.min(65536)];
    match rustix::rand::getrandom(&mut bytes[..], rustix::rand::GetRandomFlags::empty()) {
        Ok(got) if got == bytes.len() => TypedArray::new(ctx, bytes),
        _ => Err(Exception::throw_internal(&ctx, "there is no chance here")),
    }
}

/// A copy: what the script does with its own bytes later is its own matter.
#[allow(unsafe_code)]
fn copied(bytes: &TypedArray<'_, u8>) -> Vec<u8> {
    // SAFETY: no code of the script runs until the bytes are copied, so they are neither changed nor freed meanwhile.
    unsafe { bytes.as_bytes() }.unwrap_or_default().to_vec()
}

fn urls(native: &Object<'_>) -> Result<()> {
    let parsed = |url: String, base: Option<String>| {
        let url = match base {
            Some(base) => Url::parse(&base).and_then(|base| base.join(&url)),
            None => Url::parse(&url),
        };
        url.ok().as_ref().map(parts)
    };
    native.set("url", Func::from(parsed))?;
    let changed = |url: String, part: String, value: String| {
        use url::quirks;
        let mut url = Url::parse(&url).ok()?;
        // ignored: a part that cannot be set stays as it was, as scripts expect.
        let _ = match &*part {
            "protocol" => quirks::set_protocol(&mut url, &value),
            "username" => quirks::set_username(&mut url, &value),
            "password" => quirks::set_password(&mut url, &value),
            "host" => quirks::set_host(&mut url, &value),
            "hostname" => quirks::set_hostname(&mut url, &value),
            "port" => quirks::set_port(&mut url, &value),
            "pathname" => {
                quirks::set_pathname(&mut url, &value);
                Ok(())
            }
            "search" => {
                quirks::set_search(&mut url, &value);
                Ok(())
            }
            "hash" => {
                quirks::set_hash(&mut url, &value);
                Ok(())
            }
            _ => Ok(()),
        };
        Some(parts(&url))
    };
    native.set("changedUrl", Func::from(changed))
}

/// In the order in which the prelude names them.
fn parts(url: &Url) -> Vec<String> {
    use url::quirks;
    let parts: [&str; 10] = [
        quirks::href(url),
        quirks::protocol(url),
        quirks::username(url),
        quirks::password(url),
        quirks::host(url),
        quirks::hostname(url),
        quirks::port(url),
        quirks::pathname(url),
        quirks::search(url),
        quirks::hash(url),
    ];
    parts.into_iter().map(str::to_owned).chain([quirks::origin(url)]).collect()
}
