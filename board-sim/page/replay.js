// A recorded game: a slider and buttons to step through it.

const $ = (id) => document.getElementById(id);

export class Replay {
  constructor(send) {
    const go = (step) => { if (this.news) send({ do: "goto", step: Math.min(Math.max(0, step), this.news.steps.length) }); };
    $("replay-at").oninput = (event) => go(Number(event.target.value));
    for (const button of $("replay").querySelectorAll("button")) button.onclick = () => go(this.news.at + Number(button.dataset.by));
  }

  status(news) {
    this.news = news;
    $("replay").hidden = !news;
    if (!news) return;
    $("replay-name").textContent = news.name;
    $("replay-at").max = news.steps.length;
    $("replay-at").value = news.at;
    $("replay-now").textContent = `${news.at} / ${news.steps.length}${news.at ? ` · ${news.steps[news.at - 1]}` : ""}`;
  }
}
