use super::lines;

#[test]
#[ignore = "prints what texts read as: SHELL_TEXTS names a file of them, one a line"]
fn show() {
    let Ok(file) = std::env::var("SHELL_TEXTS") else { return };
    for text in std::fs::read_to_string(file).unwrap().lines() {
        let text = text.replace("\\n", "\n");
        println!("{text:?}");
        for line in lines(&text) {
            println!("    {line}");
        }
        if let Ok(reading) = super::read(&text, &super::surroundings()) {
            for problem in &reading.problems {
                println!("    ! {}", problem.rule);
            }
            for shape in &reading.shapes {
                println!("    # {shape:?}");
            }
        }
    }
}
