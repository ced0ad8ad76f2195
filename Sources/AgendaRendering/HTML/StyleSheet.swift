/// The style sheet of a page. It supports phones and large screens, light and dark schemes, paper,
/// and both directions of writing. It loads no font and no image.
enum StyleSheet {
  // Letters have a contrast of at least 4.5 : 1 on their backgrounds in both schemes (WCAG 2.1,
  // 1.4.3).
  static let text: StaticString = """
    :root{color-scheme:light dark;--page:#fff;--ink:#1f2328;--quiet:#59636e;--line:#d1d9e0;\
    --shade:#f6f8fa;--link:#0550ae;--mark:#0550ae;--onmark:#fff}
    @media (prefers-color-scheme:dark){:root{--page:#0d1117;--ink:#e6edf3;--quiet:#9ea7b3;\
    --line:#3d444d;--shade:#161b22;--link:#79b8ff;--mark:#79b8ff;--onmark:#0d1117}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--page);color:var(--ink);\
    font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;\
    overflow-wrap:anywhere}
    h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0 .5rem;word-break:keep-all}
    h2{font-size:1.15rem;line-height:1.3;margin:0}
    p,ul{margin:0;padding:0}
    ul{list-style:none}
    a{color:var(--link)}
    a:focus-visible,summary:focus-visible{outline:3px solid var(--mark);outline-offset:2px;\
    border-radius:2px}
    .bar{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.5rem 0}
    .bar a{display:inline-block;padding:.15rem 0}
    .key::before{content:"";display:inline-block;width:.8em;height:.8em;border-radius:.2em;\
    margin-inline-end:.4em;background:var(--own)}
    table{width:100%;table-layout:fixed;border-collapse:collapse;margin:1.5rem 0}
    caption{text-align:start;padding:.25rem 0}
    th{font-weight:600;font-size:.8rem;color:var(--quiet);padding:.25rem}
    abbr{text-decoration:none}
    time{unicode-bidi:isolate}
    summary::first-letter{text-transform:uppercase}
    .wk{width:2.6rem;font-weight:400;vertical-align:top}
    thead td{height:auto;border:0}
    tbody td{height:6.6rem;vertical-align:top;padding:.2rem;border:1px solid var(--line);\
    position:relative;font-size:.8rem}
    tbody .low td{height:1.6rem}
    td.out{background:var(--shade);color:var(--quiet)}
    .no{display:inline-block;min-width:1.7em;padding:0 .3em;border-radius:1em;text-align:center;\
    color:inherit;text-decoration:none}
    a.no{font-weight:600}
    a.no::after{content:"";position:absolute;inset:0}
    a.no:focus-visible{outline:0}
    a.no:focus-visible::after{outline:3px solid var(--mark);outline-offset:-3px}
    td:has(a.no:hover){background:var(--shade)}
    .now .no{background:var(--mark);color:var(--onmark);font-weight:600}
    td li{margin:.1rem 0;padding:0 .3em;border-radius:.2rem;overflow:hidden;white-space:nowrap;\
    text-overflow:ellipsis;font-size:.75rem;line-height:1.35}
    td li>*{display:flex;gap:.35em}
    td bdi{overflow:hidden;text-overflow:ellipsis;flex:1}
    .more{font-size:.75rem;color:var(--quiet);padding-inline-start:.3em}
    section{margin:1.5rem 0;scroll-margin-top:.5rem}
    section h2{border-bottom:1px solid var(--line);padding-bottom:.2rem;margin-bottom:.4rem}
    section:target h2{border-color:var(--mark);box-shadow:0 1px var(--mark)}
    .tag{display:inline-block;background:var(--mark);color:var(--onmark);font-size:.8rem;\
    line-height:1.5;padding:0 .5em;border-radius:1em;margin-inline-start:.4em}
    section>ul>li{display:grid;grid-template-columns:11rem 1fr;gap:0 1rem;padding:.25rem 0}
    .at{color:var(--quiet);font-variant-numeric:tabular-nums;overflow-wrap:normal}
    .is{border-inline-start:.3rem solid;padding-inline-start:.7rem;min-width:0}
    .is>p:first-child{font-weight:600}
    small{font-size:.85em;font-weight:400;color:var(--quiet)}
    .in{color:var(--quiet);font-size:.9rem}
    details{font-size:.9rem}
    summary{color:var(--quiet);cursor:pointer;width:fit-content}
    details p{white-space:pre-line;border-inline-start:1px solid var(--line);\
    padding-inline-start:.7rem}
    img{max-width:100%;height:auto;border-radius:.3rem;margin:.3rem .3rem 0 0;vertical-align:top}
    @media (max-width:40rem){
    body{padding:.75rem}
    th{padding:.25rem 0}
    .wk{width:1.7rem;padding:.2rem 0}
    tbody td{height:3.4rem;padding:.1rem}
    tbody .low td{height:1.5rem}
    .no{min-width:1.5em;padding:0 .15em}
    td li{height:.4rem;padding:0}
    td li>*{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    .more{padding:0;line-height:1}
    section>ul>li{grid-template-columns:1fr}
    }
    @media print{
    :root{color-scheme:light;--page:#fff;--ink:#000;--quiet:#4a4a4a;--line:#999;--shade:#f2f2f2;\
    --link:#000;--mark:#000;--onmark:#fff}
    @page{margin:12mm}
    body{max-width:none;padding:0 1px;font-size:10pt}
    nav{display:none}
    table{break-after:page;break-inside:avoid;margin:0}
    tbody td{height:25mm}
    tbody .low td{height:7mm}
    td,td li,.no,.tag,.is,.key::before{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    section{break-inside:avoid;margin:0 0 4mm}
    h2{break-after:avoid}
    section>ul>li{break-inside:avoid;grid-template-columns:9rem 1fr}
    summary{display:none}
    details::details-content{content-visibility:visible;height:auto}
    .in a[href^="http"]::after{content:" <" attr(href) ">"}
    }

    """

  /// Added for a page with nothing but months: each fits on a sheet of A4 or Letter.
  static let months: StaticString = """
    @media print{
    @page{size:landscape;margin:8mm}
    body{font-size:9pt}
    table:last-of-type{break-after:auto}
    caption,th{padding:0 .25rem}
    tbody td,tbody .low td{height:27mm;padding:.1rem}
    td li{margin:0;font-size:7pt}
    .more{font-size:7pt;line-height:1}
    }

    """
}
